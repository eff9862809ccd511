#pragma once

#include "backends/xnnpack/delegate/profile.h"
#include "backends/xnnpack/payload/payload.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::backends::xnnpack {

/// A tapped value and the node that produces it.
struct Tap {
    ValueIndex value = 0;
    std::size_t node = 0;      ///< into Payload::nodes
    std::size_t external = 0;  ///< index among the externals of the promoted payload
};

/// All values that nodes produce and tensors can hold, in execution order. For a value quantized at run time,
/// whose scales the library does not expose, these are the dequantized floats, computed once more like in the
/// library. `external` is not set.
[[nodiscard]] std::vector<Tap> tappableValues(const Payload& payload);

/// Returns a copy of `payload` with the values of `taps` as additional externals after its own. Sets
/// Tap::external.
[[nodiscard]] Payload promote(const Payload& payload, std::span<Tap> taps);

/// The operator that outputs the tapped value; null if its node was fused into another operator, or if
/// unknown.
[[nodiscard]] const ProfiledOperator* operatorOf(const Payload& payload,
                                                 std::span<const ProfiledOperator> operators, const Tap& tap);

/// Names of operators in `before` that `after`, with taps, computes differently: from other nodes, or with
/// another kernel.
[[nodiscard]] std::vector<std::string> changedOperators(std::span<const ProfiledOperator> before,
                                                        std::span<const ProfiledOperator> after);

}  // namespace et::backends::xnnpack
