# et_add_library(<folder> SOURCES ... HEADERS ... [DEPENDS ...] [PRIVATE_DEPENDS ...] [PRECOMPILED set] [OPTIMIZE level])
# One static library per folder: target et_<folder>, alias et-inspect::<folder>. Headers are included as
# "folder/file.h" relative to the repository, and are installed below include/et-inspect.
function(et_add_library folder)
  cmake_parse_arguments(arg "" "PRECOMPILED;OPTIMIZE" "SOURCES;HEADERS;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  set(target et_${folder})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(et-inspect::${folder} ALIAS ${target})
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${arg_HEADERS})
  target_compile_features(${target} PUBLIC cxx_std_23)
  target_link_libraries(${target}
    PUBLIC ${arg_DEPENDS}
    PRIVATE $<BUILD_INTERFACE:et_options> $<BUILD_INTERFACE:et_warnings> ${arg_PRIVATE_DEPENDS})
  if(NOT arg_PRECOMPILED)
    set(arg_PRECOMPILED library)
  endif()
  if(arg_OPTIMIZE)
    et_optimize(${target} ${arg_OPTIMIZE})
  endif()
  et_precompile(${target} ${arg_PRECOMPILED} ${arg_OPTIMIZE})
  et_compile_in_batches(${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${folder})
  set_property(GLOBAL APPEND PROPERTY ET_INSTALLED_LIBRARIES ${target})
endfunction()

# et_add_interface_library(<folder> DEPENDS ...): a target for several libraries, installed like them.
function(et_add_interface_library folder)
  cmake_parse_arguments(arg "" "" "DEPENDS" ${ARGN})
  set(target et_${folder})
  add_library(${target} INTERFACE)
  add_library(et-inspect::${folder} ALIAS ${target})
  target_sources(${target} INTERFACE FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} INTERFACE ${arg_DEPENDS})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${folder})
  set_property(GLOBAL APPEND PROPERTY ET_INSTALLED_LIBRARIES ${target})
endfunction()

# Generated headers: enough to compile a single file, for clang-tidy and tools/build --profile-file.
add_custom_target(generated_headers)

# (The one in the flatbuffers package is for the target processor.)
find_program(ET_FLATC flatc REQUIRED)

# et_add_flatbuffer(<target> <schema.fbs> ...): generates "<folder>/schema/<name>_generated.h" from our
# schemas. Generated headers are private to the library that reads the format.
function(et_add_flatbuffer target)
  foreach(schema IN LISTS ARGN)
    get_filename_component(name ${schema} NAME_WE)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${schema})
    get_filename_component(folder ${folder} DIRECTORY)
    set(out ${PROJECT_BINARY_DIR}/generated/${folder}/${name}_generated.h)
    add_custom_command(OUTPUT ${out}
      COMMAND ${ET_FLATC} --cpp --scoped-enums --gen-mutable --reflect-types
        -o ${PROJECT_BINARY_DIR}/generated/${folder} ${CMAKE_CURRENT_SOURCE_DIR}/${schema}
      DEPENDS ${schema} VERBATIM)
    target_sources(${target} PRIVATE ${out})
    string(MAKE_C_IDENTIFIER ${folder}_${name} generated)
    add_custom_target(${generated}_header DEPENDS ${out})
    add_dependencies(generated_headers ${generated}_header)
  endforeach()
  target_include_directories(${target} SYSTEM PRIVATE ${PROJECT_BINARY_DIR}/generated)
endfunction()

# et_add_executable(<target> SOURCES ... DEPENDS ...)
function(et_add_executable target)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${target} ${arg_SOURCES})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE et_options et_warnings ${arg_DEPENDS})
endfunction()
