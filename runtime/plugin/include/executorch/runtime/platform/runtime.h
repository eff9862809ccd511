#pragma once

#include <executorch/runtime/platform/compiler.h>

namespace executorch::runtime {
/// Does nothing: the host is initialized before it loads a plugin.
inline void runtime_init() {
}
}  // namespace executorch::runtime

namespace torch::executor {
using ::executorch::runtime::runtime_init;
}
