et_add_fuzzer(explain SOURCE explain_fuzz.cpp DEPENDS et_inspector_explain)
