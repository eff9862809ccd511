et_add_fuzzer(tokenizer_llama2c SOURCE tokenizer_llama2c_fuzz.cpp ROUNDS 20 DEPENDS et_fuzz_tokenizer
  SHARED llm/tokenizers/llama2c)
