et_add_fuzzer(tokenizer_tekken SOURCE tokenizer_tekken_fuzz.cpp ROUNDS 20
  DEPENDS et_fuzz_json et_fuzz_tokenizer simdjson::simdjson SHARED llm/tokenizers/tekken)
