#pragma once

#include "inspector/numeric_gap/runtime_values.h"
#include "runtime/core/value.h"

#include <nanobind/nanobind.h>

#include <functional>

namespace et::python {

/// Converts a tensor to a Python object.
using TensorObject = std::function<nanobind::object(core::Tensor&)>;

/// Converts a value of a method to a Python value: None, an int, float, bool, str, a list of them, or the
/// result of `tensor`.
[[nodiscard]] nanobind::object methodValue(core::Value& value, const TensorObject& tensor);

/// The same for a retained value; arrays share its memory, read-only.
[[nodiscard]] nanobind::object keptValue(const backends::reference::ReferenceValue& value);

}  // namespace et::python
