#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "backends/xnnpack/schema/payload_generated.h"
#include "runtime/core/flat_view.h"

namespace et::backends::xnnpack {

/// Errors: Format, Unsupported (a datatype), Limit.
[[nodiscard]] core::Result<PayloadValue> readValue(core::FlatView& view, const schema::Value* table,
                                                   std::size_t constants, const core::FieldPath& path);

}  // namespace et::backends::xnnpack
