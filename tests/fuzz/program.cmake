et_add_fuzzer(program SOURCE program_fuzz.cpp DEPENDS et_runtime SHARED broken programs/ext_const legacy)
