#pragma once

#include "app/serve/value.h"
#include "inspector/numeric_gap/runtime_values.h"
#include "runtime/core/value.h"

namespace et::serve {

/// Converts a value of a method: None, an int, float, bool, str, a list of them, or a copy of a tensor.
[[nodiscard]] Value methodValue(core::Value& value);

/// The same for a retained value; arrays are read-only.
[[nodiscard]] Value keptValue(const backends::reference::ReferenceValue& value);

}  // namespace et::serve
