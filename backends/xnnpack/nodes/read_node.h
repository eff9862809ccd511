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

/// The value with the id that a payload gives; nothing for an unknown one.
using FindValue = std::function<std::optional<ValueIndex>(std::uint32_t id)>;

/// Makes a node that is new. Errors: Format (an unknown id, lists of wrong lengths), Unsupported (a kind or
/// flag), Limit.
[[nodiscard]] core::Result<> readNode(core::FlatView& view, const schema::Node* table, const FindValue& find,
                                      const core::FieldPath& path, PayloadNode& node);

}  // namespace et::backends::xnnpack
