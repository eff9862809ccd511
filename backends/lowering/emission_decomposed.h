#pragma once

#include "backends/lowering/emitted_values.h"
#include "runtime/kernels/registry.h"

namespace et::backends::lowering {

/// Emits a node whose operator has no kernel of its own as calls of several kernels: operators that export
/// preserves for delegates, which are decomposed here as export would do it, and operators that write to
/// their arguments. Returns false for another node. Errors: InvalidArgument and Unsupported (unexpected
/// arguments).
[[nodiscard]] core::Result<bool> emitDecomposed(EmittedValues& values, const kernels::KernelRegistry& kernels,
                                                const etrecord::Node& node);

}  // namespace et::backends::lowering
