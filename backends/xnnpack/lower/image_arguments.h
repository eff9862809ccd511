#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "etrecord/exported_graph.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// Arguments of image operators with a number each for height and width.
namespace et::backends::xnnpack {

using Numbers = std::vector<std::int64_t>;

/// Two numbers; a single one in the node is used for both. Nothing for other counts, or for none without a
/// default.
[[nodiscard]] std::optional<Numbers> pairArgument(const etrecord::Node& node, std::string_view name,
                                                  const Numbers& otherwise);

[[nodiscard]] HeightWidth both(const Numbers& numbers);
/// Equal padding on opposite sides.
[[nodiscard]] ImagePadding around(const Numbers& numbers);

}  // namespace et::backends::xnnpack
