#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "backends/xnnpack/schema/payload_generated.h"
#include "runtime/core/flat_view.h"

namespace et::backends::xnnpack {

/// Reads a value into an empty `value`. Errors: Format, Unsupported (a datatype), Limit.
[[nodiscard]] core::Result<> readValue(core::FlatView& view, const schema::Value* table,
                                       std::size_t constants, const core::FieldPath& path,
                                       PayloadValue& value);

}  // namespace et::backends::xnnpack
