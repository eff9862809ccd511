et_add_fuzzer(npy SOURCE npy_fuzz.cpp DEPENDS et_inspector_tensors et_fuzz_zip fmt::fmt)
