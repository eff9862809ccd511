#pragma once

#include "runtime/program/method.h"

#include <nanobind/nanobind.h>

namespace et::python {

/// A program's description of a method, as used by et_inspect.runtime.MethodMeta: names, and lists of {tag,
/// sizes, dtype, dtype_name, nbytes, planned, name} for inputs, outputs and state.
[[nodiscard]] nanobind::dict describeMethodValues(const program::Method& method);

}  // namespace et::python
