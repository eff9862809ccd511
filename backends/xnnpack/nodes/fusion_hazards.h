#pragma once

#include "backends/xnnpack/payload/payload.h"

namespace et::backends::xnnpack {

/// Whether the library may fuse nodes of the payload. When it fuses a clamp into a product or a pooling, it
/// also joins the bounds with the first two words of that node's parameters, which are padding, as if these
/// were bounds; and it joins ranges that have nothing in common, or that are one number once they are
/// quantized, into such as it cannot compute; and the fused node gets the scale of the clamp's output, which
/// may be beyond its arithmetic. Ranges from 0 or less to some way above it, like those of ReLUs, do no harm.
[[nodiscard]] bool isFusedRight(const Payload& payload);

/// For FormTraits::fusesClamp: always.
[[nodiscard]] inline bool fusesAnyClamp(const PayloadNode& /*node*/) {
    return true;
}

/// Whether an output can hold more than one of the numbers in `range`, which is not empty.
[[nodiscard]] bool isMoreThanOne(const OutputRange& range, const PayloadValue& output);

}  // namespace et::backends::xnnpack
