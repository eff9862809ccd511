# Uses what a valid package has; also of the test of mutants.
add_library(et_fuzz_package STATIC support/drive_package.cpp)
target_include_directories(et_fuzz_package PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(et_fuzz_package PUBLIC et_native et_options PRIVATE et_warnings)
et_add_fuzzer(native SOURCE native_fuzz.cpp DEPENDS et_fuzz_package et_fuzz_zip et_samples SHARED ptn broken_new)
