#pragma once

#include "backends/payload_bytes.h"
#include "backends/tosa/payload.h"
#include "runtime/core/result.h"

namespace et::backends::tosa {

/// Reads a payload and adds the bytes that it describes to `coverage` if that is not null. Errors: Format
/// (damaged, or without a block), Unsupported (a version before 1.0), Limit.
[[nodiscard]] core::Result<Payload> readPayload(core::Bytes payload, ByteCoverage* coverage = nullptr);

}  // namespace et::backends::tosa
