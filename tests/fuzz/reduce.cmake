et_add_fuzzer(reduce SOURCE reduce_fuzz.cpp ROUNDS 300 DEPENDS et_fuzz_json et_tasks_reduce)
