et_add_fuzzer(chat_template SOURCE chat_template_fuzz.cpp ROUNDS 20
  DEPENDS et_inspector_tokenizers)
