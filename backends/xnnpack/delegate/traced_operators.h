#pragma once

#include "backends/xnnpack/payload/payload.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::xnnpack {

/// Matches the operators of a trace by any runtime with nodes of the payload (matchNodes()), from names alone
/// ("Convolution (NHWC, F32) IGEMM #1"). Nothing: unknown.
[[nodiscard]] std::vector<std::optional<std::vector<std::size_t>>> nodesOfTraced(
    const Payload& payload, std::span<const std::string_view> tracedNames);

/// Evidence that the operators of a trace by any runtime did not run this payload: a different number of
/// convolutions and matrix products, a product with other element types, or an operator without a node.
/// Nothing: no contradiction, or none of the names is an operator of the library.
[[nodiscard]] std::optional<std::string> tracedContradiction(const Payload& payload,
                                                             std::span<const std::string_view> tracedNames);

}  // namespace et::backends::xnnpack
