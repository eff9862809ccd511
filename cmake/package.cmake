# `cpack -G DEB` makes one Debian package per component of install.cmake.
set(ET_PACKAGE_CONTACT "The et-inspect developers <et-inspect@example.org>"
  CACHE STRING "Who maintains the Debian packages")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "${ET_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_VENDOR "et-inspect")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL cli dev)
if(TARGET et-studio)
  list(APPEND CPACK_COMPONENTS_ALL studio)
endif()
if(ET_BUILD_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

set(CPACK_DEBIAN_CLI_PACKAGE_NAME et-inspect)
set(CPACK_DEBIAN_CLI_PACKAGE_SECTION devel)
set(CPACK_COMPONENT_CLI_DESCRIPTION "tools for models of PyTorch ExecuTorch, on the command line
Reads programs, traces, ETRecords and bundled programs, joins them and says
where the time goes, down to the Python line; runs models, holds them to their
expected outputs, and finds the operator whose numbers go wrong. Needs neither
Python nor a display.")

set(CPACK_DEBIAN_STUDIO_PACKAGE_NAME et-studio)
set(CPACK_DEBIAN_STUDIO_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_STUDIO_PACKAGE_RECOMMENDS "desktop-file-utils, qt6-wayland")
set(CPACK_COMPONENT_STUDIO_DESCRIPTION "desktop app for models of PyTorch ExecuTorch
Shows where a model spends its time and memory, what its delegates hold, and
where its numbers go wrong: timeline, tables, graph, source and tests of what
a device and an export leave behind.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libet-inspect-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEV_DESCRIPTION "libraries of et-inspect, for other CMake projects
Readers of all files of PyTorch ExecuTorch, a runtime that runs its programs,
and what joins and compares them, as static libraries with their headers.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-et-inspect)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-pandas")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "et-studio, python3-pytest, python3-tqdm")
# Debian packages compile Python sources at installation.
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
  "${PROJECT_SOURCE_DIR}/cmake/package/python/postinst;${PROJECT_SOURCE_DIR}/cmake/package/python/prerm")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "tools for models of PyTorch ExecuTorch, in Python
Traces, ETRecords and their data frames under the names of
executorch.devtools, in milliseconds and without torch. Reads files and runs
models in a process of et-inspect.")

# Dependencies are determined from the linked programs when the packages are made.
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/package/programs.cmake CONTENT
"set(cli_programs $<TARGET_FILE:et-inspect> $<TARGET_FILE:et-layout>)
set(studio_programs $<$<TARGET_EXISTS:et-studio>:$<TARGET_FILE:et-studio>>)
")
set(CPACK_ET_PROGRAMS ${PROJECT_BINARY_DIR}/package/programs.cmake)
set(CPACK_ET_PACKAGE_LIST ${PROJECT_SOURCE_DIR}/tools/packages.txt)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/package_depends.cmake)

# Files required in Debian packages only.
string(TIMESTAMP ET_PACKAGE_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(ET_PACKAGE_NAME ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(folder ${PROJECT_BINARY_DIR}/package/${ET_PACKAGE_NAME})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/package/changelog.in ${folder}/changelog.Debian @ONLY)
  execute_process(COMMAND gzip -9nf ${folder}/changelog.Debian)
  install(FILES ${folder}/changelog.Debian.gz ${PROJECT_SOURCE_DIR}/cmake/package/copyright
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${ET_PACKAGE_NAME} COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()

include(CPack)
