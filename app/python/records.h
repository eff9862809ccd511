#pragma once

#include <nanobind/nanobind.h>

namespace et::python {

/// Binds the classes `Record` and `Graph` for ETRecords and their graphs.
void bindRecords(nanobind::module_& module);

}  // namespace et::python
