#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

namespace et::backends::xnnpack {

/// Reads and verifies a payload: every id is in range, every node reads values written earlier or by the
/// caller, ranks are within the library's limit, and constants are within the payload. The result borrows
/// `bytes`, which constants point into. Errors: Format (damaged or inconsistent), Unsupported (an unknown
/// node kind, datatype or flag), Limit.
[[nodiscard]] core::Result<Payload> readPayload(core::Bytes bytes);

}  // namespace et::backends::xnnpack
