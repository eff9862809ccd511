et_add_fuzzer(metadata SOURCE metadata_fuzz.cpp DEPENDS et_inspector_join)
