#pragma once

#include <nanobind/nanobind.h>

namespace et::python {

/// Files that belong together: the class `Session`.
void bindSessions(nanobind::module_& module);

}  // namespace et::python
