#pragma once

#include "backends/xnnpack/payload/payload.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::xnnpack {

/// Which nodes of a payload the operators of any runtime's trace compute (matchNodes()), from the names alone
/// ("Convolution (NHWC, F32) IGEMM #1"). Nothing: not known.
[[nodiscard]] std::vector<std::optional<std::vector<std::size_t>>> nodesOfTraced(
    const Payload& payload, std::span<const std::string_view> tracedNames);

/// What shows that these operators, of any runtime's trace, did not run this payload: another number of
/// convolutions and matrix products, one of other elements, or an operator that no node is left for. Nothing:
/// no contradiction, or none of the names is one of the library's.
[[nodiscard]] std::optional<std::string> tracedContradiction(const Payload& payload,
                                                             std::span<const std::string_view> tracedNames);

}  // namespace et::backends::xnnpack
