et_add_fuzzer(etdump_write SOURCE etdump_write_fuzz.cpp DEPENDS et_etdump)
