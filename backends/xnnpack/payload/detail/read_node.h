#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "backends/xnnpack/schema/payload_generated.h"
#include "runtime/core/flat_view.h"

#include <functional>

namespace et::backends::xnnpack {

/// The value with the id that a payload gives; nothing for an unknown one.
using FindValue = std::function<std::optional<ValueIndex>(std::uint32_t id)>;

/// Errors: Format (an unknown id, lists of wrong lengths), Unsupported (a kind or flag), Limit.
[[nodiscard]] core::Result<PayloadNode> readNode(core::FlatView& view, const schema::Node* table,
                                                 const FindValue& find, const core::FieldPath& path);

}  // namespace et::backends::xnnpack
