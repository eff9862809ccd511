#pragma once

#include <nanobind/nanobind.h>

namespace et::python {

/// Binds the class `Session`, a set of related files.
void bindSessions(nanobind::module_& module);

}  // namespace et::python
