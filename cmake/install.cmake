# Install rules, in four components; package.cmake makes a Debian package of each:
# cli     et-inspect with its manual, completions and documents
# studio  et-studio with its desktop files
# python  the Python package et_inspect
# dev     the library for applications and the static libraries, with their headers, and a CMake package for
#         find_package(et-inspect COMPONENTS embed|<folder> ...)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/et-inspect)

install(TARGETS et-inspect RUNTIME COMPONENT cli)
if(TARGET et-agent)
  install(TARGETS et-agent RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/et-inspect COMPONENT cli)
endif()
if(NOT CMAKE_CROSSCOMPILING)
  install(PROGRAMS ${ET_AGENT_ARM64} DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/et-inspect RENAME et-agent-arm64
    COMPONENT cli OPTIONAL)
endif()
install(TARGETS et-layout RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/et-inspect COMPONENT cli)

# et_install_page(<file> <component>): a manual page, compressed without a timestamp for reproducible builds.
function(et_install_page file component)
  get_filename_component(name ${file} NAME)
  set(compressed ${PROJECT_BINARY_DIR}/printed/${name}.gz)
  add_custom_command(OUTPUT ${compressed}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/printed
    COMMAND gzip -9nc ${file} > ${compressed}
    DEPENDS ${file} VERBATIM)
  set_property(GLOBAL APPEND PROPERTY ET_PRINTED ${compressed})
  install(FILES ${compressed} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${component})
endfunction()

# et_print(<file> <argument>...): output of et-inspect, which prints its own manual and completions.
function(et_print file)
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/printed/${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/printed
    COMMAND et-inspect ${ARGN} --output ${PROJECT_BINARY_DIR}/printed/${file}
    VERBATIM)
  set_property(GLOBAL APPEND PROPERTY ET_PRINTED ${PROJECT_BINARY_DIR}/printed/${file})
endfunction()
# et_install_printed(<file> <folder> <argument>...)
function(et_install_printed file folder)
  et_print(${file} ${ARGN})
  install(FILES ${PROJECT_BINARY_DIR}/printed/${file} DESTINATION ${folder} COMPONENT cli)
endfunction()
if(NOT CMAKE_CROSSCOMPILING)
  et_print(et-inspect.1 man)
  et_install_page(${PROJECT_BINARY_DIR}/printed/et-inspect.1 cli)
  et_install_printed(et-inspect ${CMAKE_INSTALL_DATADIR}/bash-completion/completions completions bash)
  et_install_printed(_et-inspect ${CMAKE_INSTALL_DATADIR}/zsh/site-functions completions zsh)
  et_install_printed(sql_tables.md ${CMAKE_INSTALL_DOCDIR}/docs/reference sql --tables --format markdown)
  et_install_printed(agent_tools.md ${CMAKE_INSTALL_DOCDIR}/docs/reference mcp --reference)
  et_install_printed(error_codes.md ${CMAKE_INSTALL_DOCDIR}/docs/reference explain --list --format markdown)
  et_install_printed(finding_rules.md ${CMAKE_INSTALL_DOCDIR}/docs/reference findings --rules --format markdown)
  et_install_printed(cli.md ${CMAKE_INSTALL_DOCDIR}/docs/reference man --format markdown)
  et_install_printed(et-inspect.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d completions fish)
endif()

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT cli)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT cli
  FILES_MATCHING PATTERN "*.md" PATTERN "*.png")

if(TARGET et-studio)
  set(share ${PROJECT_SOURCE_DIR}/app/studio/share)
  install(TARGETS et-studio RUNTIME COMPONENT studio)
  install(FILES ${share}/et-studio.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT studio)
  install(FILES ${share}/et-inspect.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages COMPONENT studio)
  if(NOT CMAKE_CROSSCOMPILING)
    et_install_page(${share}/et-studio.1 studio)
    foreach(size IN ITEMS 16x16 24x24 32x32 48x48 64x64 128x128 256x256 scalable)
      install(DIRECTORY ${PROJECT_BINARY_DIR}/icons/${size}/
        DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/${size}/apps COMPONENT studio)
    endforeach()
  endif()
endif()

if(ET_BUILD_PYTHON)
  include(cmake/install_python.cmake)
endif()
get_property(printed GLOBAL PROPERTY ET_PRINTED)
add_custom_target(et-inspect-printed ALL DEPENDS ${printed})

# One export per folder. The table for the package's config file lists the dependencies of each folder, taken from its
# link libraries: our folders, and packages (all of their targets are named <package>::<name>).
get_property(libraries GLOBAL PROPERTY ET_INSTALLED_LIBRARIES)
set(ET_PACKAGE_FOLDERS "")
set(ET_PACKAGE_NEEDS "")
foreach(library IN LISTS libraries)
  get_target_property(folder ${library} EXPORT_NAME)
  install(TARGETS ${library} EXPORT et-inspect-${folder}
    ARCHIVE COMPONENT dev
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/et-inspect COMPONENT dev)
  install(EXPORT et-inspect-${folder} NAMESPACE et-inspect:: DESTINATION ${package_dir} COMPONENT dev)

  get_target_property(links ${library} INTERFACE_LINK_LIBRARIES)
  get_target_property(type ${library} TYPE)
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    get_target_property(links ${library} LINK_LIBRARIES)
  endif()
  set(folders ${links})
  list(FILTER folders INCLUDE REGEX "^(et_|et-inspect::)[a-z_]+$")
  list(TRANSFORM folders REPLACE "^(et_|et-inspect::)" "")
  set(packages ${links})
  list(FILTER packages INCLUDE REGEX "^[A-Za-z0-9_]+::")
  if("${packages}" MATCHES "Qt6::")
    list(TRANSFORM packages REPLACE "^Qt6::" "Qt6 COMPONENTS ")
  endif()
  list(TRANSFORM packages REPLACE "::.*" "")
  list(TRANSFORM packages REPLACE "^SQLite$" "SQLite3")
  list(REMOVE_DUPLICATES packages)
  list(APPEND ET_PACKAGE_FOLDERS ${folder})
  string(APPEND ET_PACKAGE_NEEDS
    "set(_et_inspect_${folder}_folders \"${folders}\")\n"
    "set(_et_inspect_${folder}_packages \"${packages}\")\n")
endforeach()

list(APPEND ET_PACKAGE_FOLDERS embed)
string(APPEND ET_PACKAGE_NEEDS
  "set(_et_inspect_embed_folders \"\")\n"
  "set(_et_inspect_embed_packages \"\")\n")
# Headers and adapter for libraries written for ExecuTorch.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/plugin/include ${PROJECT_SOURCE_DIR}/runtime/plugin/adapter
  DESTINATION ${CMAKE_INSTALL_DATADIR}/et-inspect/plugin COMPONENT dev FILES_MATCHING PATTERN "*.h" PATTERN "*.cpp")
install(FILES ${PROJECT_SOURCE_DIR}/runtime/plugin/CMakeLists.txt
  DESTINATION ${CMAKE_INSTALL_DATADIR}/et-inspect/plugin COMPONENT dev)
set(ET_PACKAGE_PLUGIN ${CMAKE_INSTALL_DATADIR}/et-inspect/plugin)

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/et-inspect-config.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/et-inspect-config.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS ET_PACKAGE_PLUGIN)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/et-inspect-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/cmake/et-inspect-config.cmake
  ${PROJECT_BINARY_DIR}/cmake/et-inspect-config-version.cmake
  DESTINATION ${package_dir} COMPONENT dev)
include(cmake/install_embed.cmake)

include(cmake/package.cmake)
