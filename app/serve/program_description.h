#pragma once

#include "app/serve/value.h"
#include "runtime/program/method.h"

namespace et::serve {

/// A program's description of a method, as used by et_inspect.runtime.MethodMeta: names, and lists of {tag,
/// sizes, dtype, dtype_name, nbytes, planned, name} for inputs, outputs and state.
[[nodiscard]] Dict describeMethodValues(const program::Method& method);

}  // namespace et::serve
