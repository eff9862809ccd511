et_add_fuzzer(shapes SOURCE shapes_fuzz.cpp ROUNDS 200 DEPENDS et_fuzz_json et_tasks_reduce)
