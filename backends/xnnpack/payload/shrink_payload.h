#pragma once

#include "backends/payload_changes.h"
#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

#include <cstddef>
#include <vector>

namespace et::backends::xnnpack {

/// A payload for smaller inputs, whose other values have the sizes that its nodes make of them. Constants
/// that `named` has by name are in the payload once they are smaller. Errors: NotFound (a name that `named`
/// does not have), Unsupported (a constant with elements or scales that cannot be divided so),
/// InvalidArgument (sizes that do not fit a node).
[[nodiscard]] core::Result<std::vector<std::byte>> shrinkPayload(Payload payload,
                                                                 const PayloadChanges& changes,
                                                                 const executor::NamedDataSource& named);

}  // namespace et::backends::xnnpack
