#pragma once

#include <nanobind/nanobind.h>

namespace et::python {

/// ETRecords and their graphs: the classes `Record` and `Graph`.
void bindRecords(nanobind::module_& module);

}  // namespace et::python
