# Build options, and the two INTERFACE targets (options, warnings) that all our targets link.

option(ET_BUILD_STUDIO "Build et-studio and the Qt visualizers" ON)
option(ET_BUILD_PYTHON "Build the Python package et_inspect" OFF)
option(ET_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(ET_INSTALL "Make install rules" ${PROJECT_IS_TOP_LEVEL})
option(ET_BUILD_BENCHMARKS "Build the Google Benchmark binaries" OFF)
option(ET_BUILD_FUZZERS "Build libFuzzer targets (needs Clang)" OFF)
option(ET_WARNINGS_AS_ERRORS "Treat compiler warnings as errors" OFF)
# From the build of the preset arm64, if there is one.
set(ET_AGENT_ARM64 ${PROJECT_SOURCE_DIR}/build/arm64/app/agent/et-agent CACHE FILEPATH
  "et-agent for arm64, packed together with this processor's if the file exists")
set(ET_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them (address,undefined)")

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# The default is -O1, which compiles in a third less time than CMake's -O3. et_optimize(<target> <level>) selects -O3 for
# kernels, -O2 for targets that load or run models, process each event of a trace or element of a tensor, or draw, and -Os for
# commands and other code that runs once: up to a third smaller in the single file.
if(CMAKE_CXX_FLAGS_RELEASE STREQUAL "-O3 -DNDEBUG")
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")
endif()
function(et_optimize target level)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O${level}>)
endfunction()

# et_link_faster(<target>): links with LLD, if installed, in a quarter of the time. For programs that are not shipped.
find_program(ET_LLD ld.lld)
function(et_link_faster target)
  if(ET_LLD AND NOT CMAKE_CROSSCOMPILING)
    target_link_options(${target} PRIVATE -fuse-ld=lld)
  endif()
endfunction()

find_program(ET_CCACHE ccache)
if(ET_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # With these settings ccache also caches sources that use a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ET_CCACHE} sloppiness=pch_defines,time_macros pch_external_checksum=true)
endif()

add_library(et_options INTERFACE)
# Full RELRO: symbols are resolved at start-up and then read-only, because we parse untrusted files. Not slower.
target_link_options(et_options INTERFACE LINKER:-z,relro LINKER:-z,now)
# Drops unused functions, which batches would otherwise link. Loading a model then touches fewer pages of code.
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND NOT APPLE)
  target_compile_options(et_options INTERFACE "$<$<CONFIG:Release>:-ffunction-sections;-fdata-sections>")
  target_link_options(et_options INTERFACE $<$<CONFIG:Release>:LINKER:--gc-sections>)
endif()
if(ET_SANITIZE)
  target_compile_options(et_options INTERFACE
    -fsanitize=${ET_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(et_options INTERFACE -fsanitize=${ET_SANITIZE})
  # False positives of GCC in code with its own checks (std::function, std::regex).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(et_options INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()

add_library(et_warnings INTERFACE)
target_compile_options(et_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wcast-align -Wunused -Woverloaded-virtual
  -Wconversion -Wformat=2 -Wimplicit-fallthrough
  # Designated initializers omit fields that keep their default.
  -Wno-missing-field-initializers
  # Not GCC: false positives in inlined standard containers.
  $<$<CXX_COMPILER_ID:Clang>:-Wnull-dereference>
  $<$<BOOL:${ET_WARNINGS_AS_ERRORS}>:-Werror>)
if(ET_BUILD_FUZZERS)
  # Coverage instrumentation for libFuzzer in every library; only fuzz targets link the driver.
  target_compile_options(et_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
