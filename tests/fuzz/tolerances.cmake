et_add_fuzzer(tolerances SOURCE tolerances_fuzz.cpp DEPENDS et_fuzz_json et_tasks)
