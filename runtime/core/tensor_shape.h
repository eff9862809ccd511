#pragma once

#include "runtime/core/dim_list.h"
#include "runtime/core/flat_view.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <optional>
#include <vector>

// Tensor fields common to all flatbuffer formats.
namespace et::core {

struct TensorShape {
    SizeList sizes;                        ///< none negative
    OrderList dimOrder;                    ///< a permutation of the dimensions
    std::optional<std::int64_t> byteSize;  ///< of the dense tensor; nothing for an unknown dtype
};

/// Reads and validates the fields that describe a tensor's layout; `table` contains them. Errors: Format (a
/// negative size, a dim order that is not a permutation), Limit (2^63 bytes or more, and as FlatView::copy).
[[nodiscard]] Result<TensorShape> readTensorShape(FlatView& view, std::int8_t scalarType,
                                                  const flatbuffers::Vector<std::int32_t>* sizes,
                                                  const flatbuffers::Vector<std::uint8_t>* dimOrder,
                                                  const FieldPath& path, const void* table);

}  // namespace et::core
