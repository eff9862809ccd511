et_add_fuzzer(graph_json SOURCE graph_json_fuzz.cpp DEPENDS et_fuzz_json et_etrecord)
