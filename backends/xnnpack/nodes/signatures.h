#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"

#include <cstddef>

namespace et::backends::xnnpack {

/// Whether the library computes a node of `form` on values of these datatypes. It trusts its caller in that:
/// where it does not know a combination, it may write elements that are larger than the output has, or run
/// into code that it says is never reached. `widenHalf`: fp16 is computed as fp32. Errors: Unsupported.
[[nodiscard]] core::Result<> checkSignature(const Payload& payload, std::size_t node, NodeForm form,
                                            bool widenHalf);

}  // namespace et::backends::xnnpack
