# Compiles sources in batches, because most of a file's compile time is spent on headers and templates that it shares
# with its neighbours: one batch of 40 files takes a quarter less time than two of 20. A batch is a generated source that
# includes up to ET_BATCH_SIZE sources of one target, which therefore share anonymous namespaces and using-declarations
# (collisions: see CONTRIBUTING.md). The preset `dev` compiles each file separately, which keeps includes complete and is
# required by clang-tidy.
# (CMake's UNITY_BUILD writes absolute paths, so ccache would miss for other clones.)
option(ET_BATCHES "Compile the sources of a target in batches" ON)
set(ET_BATCH_SIZE 64 CACHE STRING "Sources in a batch, at most")

# et_compile_in_batches(<target>): batches the target's sources at the end of its CMakeLists.txt. Sources with their own
# options or the property SKIP_UNITY_BUILD_INCLUSION are compiled separately, as are all sources of a target whose
# property UNITY_BUILD is OFF.
function(et_compile_in_batches target)
  if(ET_BATCHES)
    cmake_language(EVAL CODE "cmake_language(DEFER CALL et_make_batches [[${target}]])")
  endif()
endfunction()

function(et_make_batches target)
  get_target_property(wanted ${target} UNITY_BUILD)
  if(wanted STREQUAL "OFF")
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  set(batched "")
  set(paths "")
  foreach(source IN LISTS sources)
    get_filename_component(path ${source} ABSOLUTE)
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
    get_source_file_property(alone ${source} SKIP_UNITY_BUILD_INCLUSION)
    if(path MATCHES "\\.cpp$" AND NOT options AND NOT definitions AND NOT alone)
      file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${path})
      list(APPEND batched ${source})
      list(APPEND paths ${path})
    endif()
  endforeach()
  list(LENGTH paths count)
  if(count GREATER 1)
    set_source_files_properties(${batched} PROPERTIES HEADER_FILE_ONLY ON)
    et_write_batches(${target} "${paths}")
  endif()
endfunction()

# Batches of nearly equal size in path order, because neighbours share most headers.
function(et_write_batches target paths)
  list(SORT paths)
  list(LENGTH paths count)
  math(EXPR batches "(${count} + ${ET_BATCH_SIZE} - 1) / ${ET_BATCH_SIZE}")
  math(EXPR last "${batches} - 1")
  foreach(batch RANGE ${last})
    math(EXPR first "${count} * ${batch} / ${batches}")
    math(EXPR size "${count} * (${batch} + 1) / ${batches} - ${first}")
    list(SUBLIST paths ${first} ${size} included)
    list(TRANSFORM included REPLACE "(.+)" "#include \"\\1\"\n")
    list(JOIN included "" text)
    # Shadowing between files of a batch is not a mistake.
    string(PREPEND text "#pragma GCC diagnostic ignored \"-Wshadow\"\n"
                        "#pragma GCC diagnostic ignored \"-Wsubobject-linkage\"\n")
    set(source ${CMAKE_CURRENT_BINARY_DIR}/batches/${target}/${target}_${batch}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "${text}" @ONLY)
    target_sources(${target} PRIVATE ${source})
  endforeach()
  target_include_directories(${target} PRIVATE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
endfunction()
