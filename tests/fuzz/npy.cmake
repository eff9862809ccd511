et_add_fuzzer(npy SOURCE npy_fuzz.cpp DEPENDS et_inspector_tensor_files et_fuzz_zip fmt::fmt)
