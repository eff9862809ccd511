add_library(et_fuzz_mutate_program STATIC support/mutate_program.cpp)
target_include_directories(et_fuzz_mutate_program PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(et_fuzz_mutate_program PUBLIC et_runtime et_kernels et_options PRIVATE et_warnings)
et_add_fuzzer(execute SOURCE execute_fuzz.cpp
  DEPENDS et_bundled_program et_executor et_kernels et_fuzz_mutate_program SHARED broken programs/cond programs/map)
