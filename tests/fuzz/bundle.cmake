et_add_fuzzer(bundle SOURCE bundle_fuzz.cpp DEPENDS et_bundled_program et_runtime SHARED broken legacy programs/add)
