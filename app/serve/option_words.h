#pragma once

#include "runtime/core/result.h"

namespace et::serve {

/// Converts an error of a task, which names options of the command line, to the parameter names of
/// et_inspect.runtime.Runtime.load_program().
[[nodiscard]] core::Error toPythonNames(core::Error error);

}  // namespace et::serve
