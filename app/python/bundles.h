#pragma once

#include <nanobind/nanobind.h>

namespace et::python {

/// Binds the class `Bundle` and the function `write_bundle` for bundled programs.
void bindBundles(nanobind::module_& module);

}  // namespace et::python
