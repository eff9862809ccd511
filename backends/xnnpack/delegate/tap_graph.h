#pragma once

#include "backends/xnnpack/delegate/profile.h"
#include "backends/xnnpack/payload/payload.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::backends::xnnpack {

/// A value that is tapped, with the node that makes it.
struct Tap {
    ValueIndex value = 0;
    std::size_t node = 0;      ///< into Payload::nodes
    std::size_t external = 0;  ///< its place among the externals of the promoted payload
};

/// Every value that nodes make and a tensor can hold, which are all but weights. One that is quantized at run
/// time, whose scales the library keeps to itself, comes as the floats that its 8-bit numbers stand for,
/// computed once more as the library does. In the order in which they are made; `external` is not set.
[[nodiscard]] std::vector<Tap> tappableValues(const Payload& payload);

/// A copy of `payload` that hands out the values of `taps` too, behind its own externals. Sets Tap::external.
[[nodiscard]] Payload promote(const Payload& payload, std::span<Tap> taps);

/// The operator whose output the tapped value is; null where it went into another operator, or where that is
/// not known.
[[nodiscard]] const ProfiledOperator* operatorOf(const Payload& payload,
                                                 std::span<const ProfiledOperator> operators, const Tap& tap);

/// Names of those of `before` that `after`, with taps, computes otherwise: of other nodes, or with another
/// kernel.
[[nodiscard]] std::vector<std::string> changedOperators(std::span<const ProfiledOperator> before,
                                                        std::span<const ProfiledOperator> after);

}  // namespace et::backends::xnnpack
