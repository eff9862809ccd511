et_add_fuzzer(etrecord SOURCE etrecord_fuzz.cpp DEPENDS et_etrecord et_fuzz_zip SHARED programs/delegate_map programs/multi_method legacy)
