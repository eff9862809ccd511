et_add_fuzzer(fit SOURCE fit_fuzz.cpp DEPENDS et_inspector_fit)
