# The Python package: the binding, its stub and what is written in Python, in a folder where Python looks for modules.
# pyproject.toml installs the same component into the root of a wheel.
set(ET_PYTHON_FOLDER lib/python3/dist-packages CACHE STRING
  "Where Python modules are installed, below the prefix (the default is Debian's)")
set(package ${ET_PYTHON_FOLDER}/et_inspect)

install(TARGETS et_python LIBRARY DESTINATION ${package} COMPONENT python)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/et_inspect/ DESTINATION ${package} COMPONENT python
  PATTERN __pycache__ EXCLUDE)
if(NOT CMAKE_CROSSCOMPILING)
  install(FILES ${PROJECT_BINARY_DIR}/python/et_inspect/_native.pyi DESTINATION ${package} COMPONENT python)
endif()

# A wheel has no package of the programs beside it: what the workflows start is inside (et_inspect/_program.py).
if(SKBUILD)
  install(TARGETS et-inspect et-layout RUNTIME DESTINATION ${package}/bin COMPONENT python)
endif()

# What pip writes beside a package that it installs: its name, version and entry points, for importlib.metadata, pip and
# pytest. Made of pyproject.toml, so that there is one list.
if(NOT SKBUILD)
  set(metadata ${PROJECT_BINARY_DIR}/package/et_inspect-${PROJECT_VERSION}.dist-info)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/pyproject.toml)
  execute_process(
    COMMAND ${Python_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/package/python/metadata.py
      ${PROJECT_SOURCE_DIR}/pyproject.toml ${PROJECT_VERSION} ${metadata}
    COMMAND_ERROR_IS_FATAL ANY)
  install(DIRECTORY ${metadata} DESTINATION ${ET_PYTHON_FOLDER} COMPONENT python)
endif()
