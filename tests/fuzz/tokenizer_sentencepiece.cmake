et_add_fuzzer(tokenizer_sentencepiece SOURCE tokenizer_sentencepiece_fuzz.cpp ROUNDS 20 DEPENDS et_fuzz_tokenizer
  SHARED llm/tokenizers/spm_bpe)
