#pragma once

#include "backends/payload_contents.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

namespace et::backends::mps {

/// Describes an MPS payload: its nodes in order with fields as attributes, its values with datatype and
/// shape, and its constants with their bytes. Nodes have no debug handles. Format:
/// docs/reference/delegate_payloads.md. Errors: Format, Unsupported (a node kind newer than this version),
/// Limit.
[[nodiscard]] core::Result<core::ModelGraph> describe(core::Bytes payload,
                                                      const executor::NamedDataSource& namedData);

/// See backends/payload_contents.h.
[[nodiscard]] core::Result<> listContents(const program::Delegate& delegate,
                                          const executor::NamedDataSource& namedData,
                                          PayloadContents& contents);

}  // namespace et::backends::mps
