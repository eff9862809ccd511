et_add_fuzzer(sql SOURCE sql_fuzz.cpp DEPENDS et_inspector_store)
