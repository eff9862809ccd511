#pragma once

#include <nanobind/nanobind.h>

namespace et::python {

/// Binds the class `Blocks`: traces joined with a record and a debug buffer.
void bindBlocks(nanobind::module_& module);

}  // namespace et::python
