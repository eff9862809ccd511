#pragma once

#include "backends/payload_contents.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

namespace et::backends::neuropilot {

/// Describes the header of a payload: one node with its inputs and outputs, and the compiled network as an
/// opaque constant. Format: docs/reference/delegate_payloads.md. Errors: Format, Limit (over 1024 tensors).
[[nodiscard]] core::Result<core::ModelGraph> describe(core::Bytes payload,
                                                      const executor::NamedDataSource& namedData);

/// See backends/payload_contents.h.
[[nodiscard]] core::Result<> listContents(const program::Delegate& delegate,
                                          const executor::NamedDataSource& namedData,
                                          PayloadContents& contents);

}  // namespace et::backends::neuropilot
