#pragma once

#include <nanobind/nanobind.h>

namespace et::python {

/// Binds the function `gap` for numeric gaps.
void bindGaps(nanobind::module_& module);

}  // namespace et::python
