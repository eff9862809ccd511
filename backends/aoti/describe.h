#pragma once

#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

namespace et::backends::aoti {

/// Describes a delegate: one node, the shared library, with library and weights as constants, and the names
/// of GPU kernels in the library if it is available. Errors: Format.
[[nodiscard]] core::Result<core::ModelGraph> describe(core::Bytes payload,
                                                      const executor::NamedDataSource& namedData);

}  // namespace et::backends::aoti
