et_add_fuzzer(verify_json SOURCE verify_json_fuzz.cpp DEPENDS et_fuzz_json et_tasks)
