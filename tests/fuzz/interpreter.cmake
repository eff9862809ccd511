et_add_fuzzer(interpreter SOURCE interpreter_fuzz.cpp DEPENDS et_fuzz_json et_reference et_etrecord et_kernels
  SHARED programs/add programs/cond programs/map programs/counter)
