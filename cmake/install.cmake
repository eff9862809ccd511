# What `cmake --install` puts down: the programs, the static libraries with their headers, and a package that
# other projects find with find_package(et-inspect COMPONENTS <folder> ...).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/et-inspect)

foreach(program IN ITEMS et-inspect et-studio)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME)
  endif()
endforeach()
install(TARGETS et-layout RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/et-inspect)

# et-inspect prints its own manual and completions. et_install_printed(<file> <folder> <argument>...)
function(et_install_printed file folder)
  set(printed ${PROJECT_BINARY_DIR}/printed/${file})
  add_custom_command(OUTPUT ${printed}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/printed
    COMMAND et-inspect ${ARGN} --output ${printed}
    VERBATIM)
  set_property(GLOBAL APPEND PROPERTY ET_PRINTED ${printed})
  install(FILES ${printed} DESTINATION ${folder})
endfunction()
if(TARGET et-inspect AND NOT CMAKE_CROSSCOMPILING)
  et_install_printed(et-inspect.1 ${CMAKE_INSTALL_MANDIR}/man1 man)
  et_install_printed(et-inspect ${CMAKE_INSTALL_DATADIR}/bash-completion/completions completions bash)
  et_install_printed(_et-inspect ${CMAKE_INSTALL_DATADIR}/zsh/site-functions completions zsh)
  et_install_printed(et-inspect.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d completions fish)
  get_property(printed GLOBAL PROPERTY ET_PRINTED)
  add_custom_target(et-inspect-printed ALL DEPENDS ${printed})
endif()

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})

# One export a folder. For the package's config file, a table of what each folder needs, read off its link
# dependencies: folders of ours, and packages (all of their targets are called <package>::<name>).
get_property(libraries GLOBAL PROPERTY ET_INSTALLED_LIBRARIES)
set(ET_PACKAGE_FOLDERS "")
set(ET_PACKAGE_NEEDS "")
foreach(library IN LISTS libraries)
  get_target_property(folder ${library} EXPORT_NAME)
  install(TARGETS ${library} EXPORT et-inspect-${folder}
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/et-inspect)
  install(EXPORT et-inspect-${folder} NAMESPACE et-inspect:: DESTINATION ${package_dir})

  get_target_property(links ${library} LINK_LIBRARIES)
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

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/et-inspect-config.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/et-inspect-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/et-inspect-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/cmake/et-inspect-config.cmake
  ${PROJECT_BINARY_DIR}/cmake/et-inspect-config-version.cmake
  DESTINATION ${package_dir})
