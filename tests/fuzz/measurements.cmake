et_add_fuzzer(measurements SOURCE measurements_fuzz.cpp ROUNDS 200 DEPENDS et_fuzz_json et_tasks_session)
