# The library for applications in two components: dev, and sdk, which tools/release completes to an archive that needs no
# other packages (tools/internal/sdk.py).
set(ET_PACKAGE_FOLDERS embed)
set(ET_PACKAGE_NEEDS "set(_et_inspect_embed_folders \"\")\nset(_et_inspect_embed_packages \"\")\n")
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/et-inspect-config.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/sdk/et-inspect-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/sdk/et-inspect-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/cmake/sdk/et-inspect-config.cmake
  ${PROJECT_BINARY_DIR}/cmake/sdk/et-inspect-config-version.cmake
  DESTINATION ${package_dir} COMPONENT sdk EXCLUDE_FROM_ALL)

# et_install_embed(<component> [EXCLUDE_FROM_ALL])
function(et_install_embed component)
  install(TARGETS et_embed EXPORT et-inspect-embed-${component}
    LIBRARY COMPONENT ${component} ${ARGN}
    ARCHIVE COMPONENT ${component} ${ARGN}
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT ${component} ${ARGN})
  install(EXPORT et-inspect-embed-${component} NAMESPACE et-inspect:: FILE et-inspect-embed.cmake
    DESTINATION ${package_dir} COMPONENT ${component} ${ARGN})
  if(TARGET et_older)
    install(TARGETS et_older EXPORT et-inspect-embed-${component}
      LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/et-inspect COMPONENT ${component} ${ARGN})
  endif()
endfunction()
et_install_embed(dev)
et_install_embed(sdk EXCLUDE_FROM_ALL)
