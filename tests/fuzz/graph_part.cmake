et_add_fuzzer(graph_part SOURCE graph_part_fuzz.cpp ROUNDS 100 DEPENDS et_inspector et_fuzz_zip SHARED programs/simple)
