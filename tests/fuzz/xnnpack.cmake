add_library(et_fuzz_payloads STATIC support/fit_payload.cpp support/mutate_payload.cpp support/sample_payloads.cpp)
target_include_directories(et_fuzz_payloads PUBLIC ${PROJECT_SOURCE_DIR})
target_include_directories(et_fuzz_payloads SYSTEM PRIVATE ${PROJECT_BINARY_DIR}/generated)
target_link_libraries(et_fuzz_payloads PUBLIC et_backends et_options PRIVATE et_warnings flatbuffers::flatbuffers)
et_add_fuzzer(xnnpack SOURCE xnnpack_fuzz.cpp DEPENDS et_backends et_bundled_program et_fuzz_payloads
  SHARED programs/add programs/xnn_modes programs/dyn_conv)

# Regenerates the seeds of corpus/xnnpack: xnnpack_seeds FOLDER
add_executable(xnnpack_seeds EXCLUDE_FROM_ALL support/write_payload_seeds.cpp)
target_link_libraries(xnnpack_seeds PRIVATE et_fuzz_payloads et_options et_warnings)
