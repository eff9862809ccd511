#pragma once

#include "backends/payload_changes.h"
#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

#include <cstddef>
#include <vector>

namespace et::backends::xnnpack {

/// Shrinks a payload to smaller inputs; other values get the sizes computed by its nodes. Constants from
/// `named` are embedded in the payload if they shrink. Errors: NotFound (a name that `named` lacks),
/// Unsupported (a constant whose elements or scales cannot be divided this way), InvalidArgument (sizes that
/// do not match a node).
[[nodiscard]] core::Result<std::vector<std::byte>> shrinkPayload(Payload payload,
                                                                 const PayloadChanges& changes,
                                                                 const executor::NamedDataSource& named);

}  // namespace et::backends::xnnpack
