# Precompiled headers of the standard library, fmt, GoogleTest and Qt, one set per combination of compiler flags, which
# about halves the time of a full build. Files still include what they use; the preset `dev` builds without precompiled
# headers and so detects missing includes.
option(ET_PRECOMPILE "Precompile the headers of other libraries (GCC)" ON)
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(ET_PRECOMPILE OFF)
endif()

set(ET_PRECOMPILED_std
  <algorithm> <array> <chrono> <cmath> <cstdint> <cstring> <filesystem> <functional> <limits> <map> <memory> <optional>
  <ranges> <set> <span> <string> <string_view> <tuple> <unordered_map> <utility> <variant> <vector>
  <fmt/format.h> <fmt/ranges.h>)
set(ET_PRECOMPILED_qt
  <QAbstractItemModel> <QAction> <QApplication> <QComboBox> <QHeaderView> <QLabel> <QLineEdit> <QMainWindow> <QMenu>
  <QPainter> <QPointer> <QSettings> <QSortFilterProxyModel> <QSplitter> <QTimer> <QToolBar> <QTreeView> <QVBoxLayout>
  <QWidget>)
set(ET_PRECOMPILED_gtest <gmock/gmock.h> <gtest/gtest.h>)

# et_add_precompiled(<set> OF <lists of headers> DEPENDS ... [PIE] [OPTIONS ...]): the target that owns a set. Its flags
# must equal those of its users; executables (PIE) differ from libraries.
function(et_add_precompiled set)
  cmake_parse_arguments(arg "PIE" "" "OF;DEPENDS;OPTIONS" ${ARGN})
  set(target et_precompiled_${set})
  set(headers "")
  foreach(part IN LISTS arg_OF)
    list(APPEND headers ${ET_PRECOMPILED_${part}})
  endforeach()
  set(source ${PROJECT_BINARY_DIR}/precompiled/${set}.cpp)
  file(GENERATE OUTPUT ${source} CONTENT "int main() {}  // only its precompiled header matters\n")
  if(arg_PIE)
    add_executable(${target} EXCLUDE_FROM_ALL ${source})
  else()
    add_library(${target} STATIC EXCLUDE_FROM_ALL ${source})
  endif()
  target_link_libraries(${target} PRIVATE et_options et_warnings ${arg_DEPENDS})
  target_compile_options(${target} PRIVATE ${arg_OPTIONS})
  target_precompile_headers(${target} PRIVATE ${headers})
  # ccache hashes this file instead of the precompiled header, which contains paths and differs between builds.
  set(versions "${CMAKE_CXX_COMPILER_VERSION} ${fmt_VERSION} ${GTest_VERSION} ${Qt6_VERSION}")
  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx.gch.sum
    CONTENT "${set} ${headers} ${versions} ${CMAKE_BUILD_TYPE} ${ET_SANITIZE}\n")
endfunction()

# et_precompile(<target> <set> [<level>]): makes a target use the set library, library_unfused, test, qt,
# qt_test, or none. `level`: the target's optimization level, if it is not the default; each has its own set.
# Functions with #pragma GCC target (as in Highway) use the -ffp-contract of the precompiled header and ignore the command
# line: a library with another value needs its own set (library_unfused), a file SKIP_PRECOMPILE_HEADERS.
function(et_precompile target set)
  if(NOT ET_PRECOMPILE OR set STREQUAL "none")
    return()
  endif()
  set(header ${set})
  set(options "")
  if(ARGC GREATER 2 AND CMAKE_BUILD_TYPE STREQUAL "Release")
    set(header ${set}_O${ARGV2})
    set(options -O${ARGV2})
  endif()
  if(NOT TARGET et_precompiled_${header})
    if(set STREQUAL "library")
      et_add_precompiled(${header} OF std DEPENDS fmt::fmt OPTIONS ${options})
    elseif(set STREQUAL "library_unfused")
      et_add_precompiled(${header} OF std DEPENDS fmt::fmt OPTIONS ${options} -ffp-contract=off)
    elseif(set STREQUAL "qt")
      et_add_precompiled(${header} OF std qt DEPENDS fmt::fmt Qt6::Widgets OPTIONS ${options})
    elseif(set STREQUAL "test")
      et_add_precompiled(test PIE OF std gtest DEPENDS fmt::fmt GTest::gmock)
    elseif(set STREQUAL "qt_test")
      # Without QTest, whose definitions contain the path of each target's folder.
      et_add_precompiled(qt_test PIE OF std qt gtest DEPENDS fmt::fmt GTest::gmock Qt6::Widgets)
    endif()
  endif()
  # The definitions of fmt's target are part of the precompiled header.
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:fmt::fmt>)
  target_precompile_headers(${target} REUSE_FROM et_precompiled_${header})
endfunction()
