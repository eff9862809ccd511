#pragma once

#include "backends/payload_contents.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

namespace et::backends::aoti {

/// Describes a delegate: one node, the shared library, with library and weights as constants, and the names
/// of GPU kernels in the library if it is available. Errors: Format.
[[nodiscard]] core::Result<core::ModelGraph> describe(core::Bytes payload,
                                                      const executor::NamedDataSource& namedData);

/// See backends/payload_contents.h.
[[nodiscard]] core::Result<> listContents(const program::Delegate& delegate,
                                          const executor::NamedDataSource& namedData,
                                          PayloadContents& contents);

}  // namespace et::backends::aoti
