et_add_fuzzer(expression SOURCE expression_fuzz.cpp DEPENDS et_expression)
