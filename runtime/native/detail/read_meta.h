#pragma once

#include "runtime/native/detail/texts.h"
#include "runtime/native/graph.h"
#include "runtime/native/schema/graph_generated.h"

#include <cstdint>

namespace et::native::detail {

/// Reads the metadata of a tensor; `table` has the field. Errors: Format (missing, an unknown dtype or
/// scheme, an invalid range of sizes), Limit.
[[nodiscard]] core::Result<TensorMeta> readMeta(Texts& texts, const schema::TensorMeta* meta,
                                                const core::FieldPath& path, const void* table);

/// Converts a dtype of the format to a core::scalarType() code. Errors: Format (unknown).
[[nodiscard]] core::Result<std::int8_t> readScalarType(const core::FlatView& view, std::int8_t code,
                                                       const core::FieldPath& path, const void* table);

}  // namespace et::native::detail
