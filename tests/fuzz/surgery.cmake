et_add_fuzzer(surgery SOURCE surgery_fuzz.cpp ROUNDS 100
  DEPENDS et_backends et_inspector et_fuzz_mutate_program SHARED programs/add programs/simple programs/cond programs/counter)
