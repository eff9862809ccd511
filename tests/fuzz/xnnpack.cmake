# Not replayed with the tests yet: some mutated payloads still meet assertions inside of the library.
if(ET_BUILD_FUZZERS)
  et_add_fuzzer(xnnpack SOURCE xnnpack_fuzz.cpp DEPENDS et_backends et_bundled_program
    SHARED programs/add programs/mlp_8da4w programs/linear programs/xnn_modes programs/mobilenet_v2_small)
endif()
