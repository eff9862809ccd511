#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/flat_view.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace et::backends::xnnpack {

namespace schema {
struct Node;
}

/// Finds the value with an id of the payload; nothing if unknown.
using FindValue = std::function<std::optional<ValueIndex>(std::uint32_t id)>;

/// Reads a node into an empty `node`. Errors: Format (an unknown id, lists of wrong length), Unsupported (a
/// kind or flag), Limit.
[[nodiscard]] core::Result<> readNode(core::FlatView& view, const schema::Node* table, const FindValue& find,
                                      const core::FieldPath& path, PayloadNode& node);

}  // namespace et::backends::xnnpack
