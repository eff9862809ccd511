#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "etrecord/exported_graph.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// Arguments of operators on images: numbers for height and width.
namespace et::backends::xnnpack {

using Numbers = std::vector<std::int64_t>;

/// Two numbers, of which a node may give one; nothing where it gives others, or none and there is no default.
[[nodiscard]] std::optional<Numbers> pairArgument(const etrecord::Node& node, std::string_view name,
                                                  const Numbers& otherwise);

[[nodiscard]] HeightWidth both(const Numbers& numbers);
/// As much on opposite sides.
[[nodiscard]] ImagePadding around(const Numbers& numbers);

}  // namespace et::backends::xnnpack
