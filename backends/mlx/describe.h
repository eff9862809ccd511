#pragma once

#include "backends/mlx/payload.h"
#include "backends/payload_contents.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

#include <string>

namespace et::backends::mlx {

/// Describes a payload of the MLX compiler: nodes in execution order with their other fields as attributes,
/// tensors "t3" and run-time values "v1", constants with their bytes. Other chains than the main one are
/// groups; a branch's results flow into its IfNode, which selects them. Format:
/// docs/reference/delegate_payloads.md. Errors: those of readPayload().
[[nodiscard]] core::Result<core::ModelGraph> describe(core::Bytes payload,
                                                      const executor::NamedDataSource& namedData);

/// See backends/payload_contents.h.
[[nodiscard]] core::Result<> listContents(const program::Delegate& delegate,
                                          const executor::NamedDataSource& namedData,
                                          PayloadContents& contents);

/// "[2, 1..12, 16]"; "1..": unbounded.
[[nodiscard]] std::string sizesText(const TensorMeta& meta);

}  // namespace et::backends::mlx
