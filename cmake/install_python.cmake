# The Python package, in a folder of Python's module path.
# pyproject.toml installs the same component into the root of a wheel.
set(ET_PYTHON_FOLDER lib/python3/dist-packages CACHE STRING
  "Where Python modules are installed, below the prefix (the default is Debian's)")
set(package ${ET_PYTHON_FOLDER}/et_inspect)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/et_inspect/ DESTINATION ${package} COMPONENT python
  PATTERN __pycache__ EXCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/python/et_inspect/_commands.py ${PROJECT_BINARY_DIR}/python/et_inspect/_version.py
  DESTINATION ${package} COMPONENT python)

# A wheel includes the programs that the workflows start (et_inspect/_program.py).
if(SKBUILD)
  install(TARGETS et-inspect et-layout RUNTIME DESTINATION ${package}/bin COMPONENT python)
endif()

# The metadata that pip would write (name, version, entry points), for importlib.metadata, pip and pytest. Generated
# from pyproject.toml, so that there is one list.
if(NOT SKBUILD)
  set(metadata ${PROJECT_BINARY_DIR}/package/et_inspect-${PROJECT_VERSION}.dist-info)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/pyproject.toml)
  execute_process(
    COMMAND ${Python_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/package/python/metadata.py
      ${PROJECT_SOURCE_DIR}/pyproject.toml ${PROJECT_VERSION} ${metadata}
    COMMAND_ERROR_IS_FATAL ANY)
  install(DIRECTORY ${metadata} DESTINATION ${ET_PYTHON_FOLDER} COMPONENT python)
endif()
