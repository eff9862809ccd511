#pragma once

#include "backends/payload_contents.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

namespace et::backends::qnn {

/// Describes a payload: one node per graph of the context binary, with its inputs and outputs, and the
/// compiled code of all graphs as an opaque constant. If the metadata of the binary is not understood, one
/// node without values. Format: docs/reference/delegate_payloads.md. Errors: Format.
[[nodiscard]] core::Result<core::ModelGraph> describe(core::Bytes payload,
                                                      const executor::NamedDataSource& namedData);

/// See backends/payload_contents.h.
[[nodiscard]] core::Result<> listContents(const program::Delegate& delegate,
                                          const executor::NamedDataSource& namedData,
                                          PayloadContents& contents);

}  // namespace et::backends::qnn
