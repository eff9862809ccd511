#pragma once

#include "runtime/program/method.h"

#include <nanobind/nanobind.h>

namespace et::python {

/// What a program says of a method, as et_inspect.runtime.MethodMeta has it: names, and lists of
/// {tag, sizes, dtype, dtype_name, nbytes, planned, name} for inputs, outputs and state.
[[nodiscard]] nanobind::dict programFacts(const program::Method& method);

}  // namespace et::python
