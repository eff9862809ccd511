# Payloads of backends that are only described here: one source, one target per backend.
foreach(fuzzed IN ITEMS CoreML Vulkan MLX MPS EthosU Cuda Neuropilot Neutron Openvino Qnn TensorRT TOSA Vgf)
  string(TOLOWER ${fuzzed} name)
  set(shared "")
  foreach(folder IN ITEMS ${name} arm_${name})
    if(EXISTS ${ET_SHARED_DATA}/programs/backends/${folder})
      set(shared programs/backends/${folder})
    endif()
  endforeach()
  et_add_fuzzer(${name} SOURCE open_payload_fuzz.cpp DEPENDS et_backends et_bundled_program
    SHARED ${shared} programs/backends/mixed)
  foreach(target IN ITEMS fuzz_${name} replay_${name})
    if(TARGET ${target})
      target_compile_definitions(${target} PRIVATE ET_FUZZED_BACKEND="${fuzzed}Backend")
    endif()
  endforeach()
endforeach()

# Regenerates the seeds of corpus/ of these backends: open_payload_seeds FOLDER
add_executable(open_payload_seeds EXCLUDE_FROM_ALL support/write_open_payload_seeds.cpp)
target_link_libraries(open_payload_seeds PRIVATE et_open_payloads et_options et_warnings)
