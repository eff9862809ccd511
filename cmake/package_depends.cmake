# Run by CPack before it makes the packages, to set their dependencies: the packages of the linked libraries, at least as
# new as here. (dpkg-shlibdeps would also find older compatible versions, but the build does not require it.)
cmake_policy(VERSION 3.25)  # CPack sets none
include(${CPACK_ET_PROGRAMS})

# et_libraries_of(<variable> <program>...): sonames of direct dependencies.
function(et_libraries_of result)
  set(all "")
  foreach(program IN LISTS ARGN)
    execute_process(COMMAND readelf --dynamic --wide ${program} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
    string(REPLACE "[" "<" dynamic "${dynamic}")  # a bracket in an element would break the list
    string(REGEX MATCHALL "Shared library: <[^]]+" names "${dynamic}")
    list(TRANSFORM names REPLACE ".*<" "")
    list(APPEND all ${names})
  endforeach()
  list(REMOVE_DUPLICATES all)
  set(${result} "${all}" PARENT_SCOPE)
endfunction()

# et_package_of(<variable> <soname>): "libfmt10 (>= 10.1.1+ds1)".
function(et_package_of result library)
  execute_process(COMMAND dpkg-query --search */${library} OUTPUT_VARIABLE owners COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "([.+])" "\\\\\\1" pattern ${library})
  string(REGEX MATCH "([^\n:]+)[^\n]*: /(usr/)?lib(64)?/([^/\n]+/)?([^/\n]+/)?${pattern}\n" found "${owners}")
  set(package ${CMAKE_MATCH_1})
  if(NOT package)
    message(FATAL_ERROR "no Debian package has ${library}")
  endif()
  execute_process(COMMAND dpkg-query --show --showformat=\${Version}\\n ${package}
    OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "\n.*" "" version "${version}")
  string(REGEX REPLACE "-[^-]*$" "" version "${version}")  # without the Debian revision
  set(${result} "${package} (>= ${version})" PARENT_SCOPE)
endfunction()

# et_depends_of(<variable> <program>...)
function(et_depends_of result)
  et_libraries_of(libraries ${ARGN})
  set(packages "")
  foreach(library IN LISTS libraries)
    if(NOT library MATCHES "^ld-linux")
      et_package_of(package ${library})
      list(APPEND packages "${package}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES packages)
  list(SORT packages)
  list(JOIN packages ", " text)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

set(this_version "${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")
if("cli" IN_LIST CPACK_COMPONENTS_ALL)
  et_depends_of(CPACK_DEBIAN_CLI_PACKAGE_DEPENDS ${cli_programs})
endif()
if("studio" IN_LIST CPACK_COMPONENTS_ALL)
  et_depends_of(libraries ${studio_programs})
  # The last two maintain the databases of file managers and menus.
  set(CPACK_DEBIAN_STUDIO_PACKAGE_DEPENDS
    "${libraries}, et-inspect (= ${this_version}), hicolor-icon-theme, shared-mime-info")
endif()
if("python" IN_LIST CPACK_COMPONENTS_ALL)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "et-inspect (= ${this_version}), python3 (>= 3.9~), python3-numpy")
endif()

# The libraries are static, so users also link their dependencies.
file(STRINGS ${CPACK_ET_PACKAGE_LIST} development REGEX "^lib.*-dev$")
list(FILTER development EXCLUDE REGEX "^lib(benchmark|gmock|gtest|cli11)-dev$|^libclang")
list(JOIN development ", " CPACK_DEBIAN_DEV_PACKAGE_DEPENDS)
