#pragma once

#include <nanobind/nanobind.h>

namespace et::python {

/// Traces joined with a record and a debug buffer: the class `Blocks`.
void bindBlocks(nanobind::module_& module);

}  // namespace et::python
