#pragma once

#include "backends/mlx/payload.h"
#include "backends/payload_bytes.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

namespace et::backends::mlx {

/// Reads a payload: header, graph, and the fields of all nodes. `coverage`, if given, gets the bytes that
/// were described. Errors: Format (damaged, a number that nothing has, a chain that runs itself), Unsupported
/// (an unknown kind of node), Limit (more than any model has).
[[nodiscard]] core::Result<Payload> readPayload(core::Bytes payload, ByteCoverage* coverage = nullptr);

}  // namespace et::backends::mlx
