# Build switches and the two INTERFACE targets (options, warnings) that every target of ours links.

option(ET_BUILD_STUDIO "Build et-studio and the Qt visualizers" ON)
option(ET_BUILD_PYTHON "Build the Python package et_inspect" OFF)
option(ET_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(ET_INSTALL "Make install rules" ${PROJECT_IS_TOP_LEVEL})
option(ET_BUILD_BENCHMARKS "Build the Google Benchmark binaries" OFF)
option(ET_BUILD_FUZZERS "Build libFuzzer targets (needs Clang)" OFF)
option(ET_WARNINGS_AS_ERRORS "Treat compiler warnings as errors" OFF)
set(ET_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them (address,undefined)")

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Most of the code is compiled with -O2, which takes a sixth less time than CMake's -O3. What runs models asks for -O3, and
# what only parses options and writes pages for -O1, with et_optimize(<target> <level>).
if(CMAKE_CXX_FLAGS_RELEASE STREQUAL "-O3 -DNDEBUG")
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
endif()
function(et_optimize target level)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O${level}>)
endfunction()

find_program(ET_CCACHE ccache)
if(ET_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # With the two settings it caches what uses a precompiled header as well.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ET_CCACHE} sloppiness=pch_defines,time_macros pch_external_checksum=true)
endif()

add_library(et_options INTERFACE)
# Functions of other libraries are found when a process starts, not one by one while it loads its first model. That takes
# no longer, and what they are found in is read-only from then on: we read files of strangers.
target_link_options(et_options INTERFACE LINKER:-z,relro LINKER:-z,now)
# What a program does not use is left out of it: a batch of sources is one object file, and programs that load models are to
# have few pages of code between those that do.
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND NOT APPLE)
  target_compile_options(et_options INTERFACE "$<$<CONFIG:Release>:-ffunction-sections;-fdata-sections>")
  target_link_options(et_options INTERFACE $<$<CONFIG:Release>:LINKER:--gc-sections>)
  # What loads a program stands together, where the linker can order code (GNU ld since 2.43).
  include(CheckLinkerFlag)
  set(ET_LOADING_ORDER ${CMAKE_CURRENT_LIST_DIR}/loading_order.ld)
  check_linker_flag(CXX LINKER:--section-ordering-file=${ET_LOADING_ORDER} ET_ORDERS_CODE)
  if(ET_ORDERS_CODE)
    set(release $<BUILD_INTERFACE:$<$<CONFIG:Release>:)
    target_link_options(et_options INTERFACE ${release}LINKER:--section-ordering-file=${ET_LOADING_ORDER}>>)
    set_property(TARGET et_options PROPERTY INTERFACE_LINK_DEPENDS ${release}${ET_LOADING_ORDER}>>)
    unset(release)
  endif()
endif()
if(ET_SANITIZE)
  target_compile_options(et_options INTERFACE
    -fsanitize=${ET_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(et_options INTERFACE -fsanitize=${ET_SANITIZE})
  # GCC cannot follow initialization through the checks it has put in itself (std::function, std::regex).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(et_options INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()

add_library(et_warnings INTERFACE)
target_compile_options(et_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wcast-align -Wunused -Woverloaded-virtual
  -Wconversion -Wformat=2 -Wimplicit-fallthrough
  # What a designated initializer leaves out has its default, and that is meant.
  -Wno-missing-field-initializers
  # GCC sees null where it has inlined half of a standard container.
  $<$<CXX_COMPILER_ID:Clang>:-Wnull-dereference>
  $<$<BOOL:${ET_WARNINGS_AS_ERRORS}>:-Werror>)
if(ET_BUILD_FUZZERS)
  # Coverage instrumentation for libFuzzer in every library; the driver comes with the fuzz targets.
  target_compile_options(et_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
