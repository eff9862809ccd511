#pragma once

#include <nanobind/nanobind.h>

namespace et::python {

/// Bundled programs: the class `Bundle`, the function `write_bundle`.
void bindBundles(nanobind::module_& module);

}  // namespace et::python
