et_add_fuzzer(tokenize_lines SOURCE tokenize_lines_fuzz.cpp ROUNDS 20 DEPENDS et_fuzz_json et_tasks)
