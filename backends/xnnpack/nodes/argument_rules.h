#pragma once

#include "backends/xnnpack/payload/payload.h"

#include <cstddef>
#include <string>

namespace et::backends::xnnpack {

/// Describes why the library rejects a node as an invalid argument, for the library reports only that: a node
/// that moves elements keeps their datatype, scale and zero point, and a range has a minimum below its
/// maximum. Empty if no known rule is violated.
[[nodiscard]] std::string violatedRule(const Payload& payload, std::size_t node);

/// The same for the first node with a violation: "nodes[3] (XNNStaticSlice): ...".
[[nodiscard]] std::string violatedRule(const Payload& payload);

}  // namespace et::backends::xnnpack
