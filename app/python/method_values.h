#pragma once

#include "inspector/numeric_gap/runtime_values.h"
#include "runtime/core/value.h"

#include <nanobind/nanobind.h>

#include <functional>

namespace et::python {

/// How a tensor becomes an object of Python.
using TensorObject = std::function<nanobind::object(core::Tensor&)>;

/// A value of a method as Python's own: None, an int, float, bool, str, a list of them, or what `tensor`
/// makes.
[[nodiscard]] nanobind::object methodValue(core::Value& value, const TensorObject& tensor);

/// The same of a value that was kept; arrays share its memory, read-only.
[[nodiscard]] nanobind::object keptValue(const backends::reference::ReferenceValue& value);

}  // namespace et::python
