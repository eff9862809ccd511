#pragma once

#include <nanobind/nanobind.h>

namespace et::python {

/// Numeric gaps: the function `gap`.
void bindGaps(nanobind::module_& module);

}  // namespace et::python
