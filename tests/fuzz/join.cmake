et_add_fuzzer(join SOURCE join_fuzz.cpp DEPENDS et_inspector et_samples simdjson::simdjson)
