#pragma once

#include <executorch/runtime/platform/compiler.h>

namespace executorch::runtime {
/// Ends the current kernel or delegate call; the host reports the last logged message as its error. Outside a
/// call: ends the process.
ET_NORETURN void runtime_abort();
}  // namespace executorch::runtime

namespace torch::executor {
using ::executorch::runtime::runtime_abort;
}
