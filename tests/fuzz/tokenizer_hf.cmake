# Shared by all tokenizer targets.
add_library(et_fuzz_tokenizer STATIC support/drive_tokenizer.cpp support/mutate_tokenizer.cpp)
target_include_directories(et_fuzz_tokenizer PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(et_fuzz_tokenizer PUBLIC et_inspector_tokenizers et_options PRIVATE et_warnings)

et_add_fuzzer(tokenizer_hf SOURCE tokenizer_hf_fuzz.cpp ROUNDS 20 DEPENDS et_fuzz_json et_fuzz_tokenizer simdjson::simdjson
  SHARED llm/tokenizers/hf_bpe_gpt2 llm/tokenizers/hf_bpe_llama2 llm/tokenizers/hf_unigram llm/tokenizers/hf_wordpiece)
