et_add_fuzzer(etdump SOURCE etdump_fuzz.cpp DEPENDS et_etdump SHARED broken legacy traces/simple_portable_debug)
