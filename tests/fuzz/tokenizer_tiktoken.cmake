et_add_fuzzer(tokenizer_tiktoken SOURCE tokenizer_tiktoken_fuzz.cpp ROUNDS 20 DEPENDS et_fuzz_tokenizer
  SHARED llm/tokenizers/tiktoken)
