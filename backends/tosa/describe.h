#pragma once

#include "backends/payload_contents.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

namespace et::backends::tosa {

/// Describes a TOSA graph: its operators in order with fields as attributes, tensors with element type, sizes
/// and, if small, elements, and constants with their bytes. Outputs of CONST and CONST_SHAPE are constants
/// without a node. Bodies of control flow are groups. Format: docs/reference/delegate_payloads.md. Errors:
/// those of readPayload().
[[nodiscard]] core::Result<core::ModelGraph> describe(core::Bytes payload,
                                                      const executor::NamedDataSource& namedData);

/// See backends/payload_contents.h.
[[nodiscard]] core::Result<> listContents(const program::Delegate& delegate,
                                          const executor::NamedDataSource& namedData,
                                          PayloadContents& contents);

}  // namespace et::backends::tosa
