#pragma once

#include "runtime/core/result.h"

namespace et::python {

/// An error of a task, which names options as the command line has them, in the words of
/// et_inspect.runtime.Runtime.load_program().
[[nodiscard]] core::Error inPythonsWords(core::Error error);

}  // namespace et::python
