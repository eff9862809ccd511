# Sources are compiled in batches: most of the time of a file goes into the headers and templates that it shares with
# its neighbours. A batch is a source in the build folder that includes up to ET_BATCH_SIZE sources of one target, which
# therefore share their anonymous namespaces and using-declarations. CONTRIBUTING.md says how a collision shows. The
# preset `dev` compiles each file by itself: that keeps includes complete, and is what clang-tidy reads.
# (CMake's own UNITY_BUILD puts absolute paths into its sources, with which ccache finds nothing from another clone.)
option(ET_BATCHES "Compile the sources of a target in batches" ON)
set(ET_BATCH_SIZE 24 CACHE STRING "Sources in a batch, at most")

# et_compile_in_batches(<target>): what is in the target's list of sources when its folder has been read. A source with
# options of its own, or with the property SKIP_UNITY_BUILD_INCLUSION, stays by itself, and so does a target's whole list
# where its property UNITY_BUILD is OFF.
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
  if(count GREATER 1)  # a file alone needs none
    set_source_files_properties(${batched} PROPERTIES HEADER_FILE_ONLY ON)
    et_write_batches(${target} "${paths}")
  endif()
endfunction()

# Batches of nearly one size, in the order of paths: neighbours share the most.
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
    # What one file names shadows what another one does; that is no mistake of either.
    string(PREPEND text "#pragma GCC diagnostic ignored \"-Wshadow\"\n"
                        "#pragma GCC diagnostic ignored \"-Wsubobject-linkage\"\n")
    set(source ${CMAKE_CURRENT_BINARY_DIR}/batches/${target}/${target}_${batch}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "${text}" @ONLY)
    target_sources(${target} PRIVATE ${source})
  endforeach()
  target_include_directories(${target} PRIVATE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
endfunction()
