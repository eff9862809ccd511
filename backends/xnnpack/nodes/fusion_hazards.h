#pragma once

#include "backends/xnnpack/payload/payload.h"

namespace et::backends::xnnpack {

/// Whether the library fuses nodes of this payload correctly. When it fuses a clamp into a product or
/// pooling, it also merges the bounds with the first two words of the node's parameters, which are padding,
/// as if these were bounds; it merges disjoint ranges, or ranges that become a single number when quantized,
/// into ranges that it cannot compute; and the fused node gets the scale of the clamp's output, which may
/// exceed its arithmetic. Ranges from at most 0 to well above 0, such as those of ReLUs, are harmless.
[[nodiscard]] bool isFusedRight(const Payload& payload);

/// For NodeFormInfo::fusesClamp: always true.
[[nodiscard]] inline bool fusesAnyClamp(const PayloadNode& /*node*/) {
    return true;
}

/// Whether an output can represent more than one number in the non-empty `range`.
[[nodiscard]] bool isMoreThanOne(const OutputRange& range, const PayloadValue& output);

}  // namespace et::backends::xnnpack
