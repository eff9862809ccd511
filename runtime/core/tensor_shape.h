#pragma once

#include "runtime/core/dim_list.h"
#include "runtime/core/flat_view.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <optional>
#include <vector>

// For the readers of flatbuffer formats, which all describe tensors in the same words.
namespace et::core {

struct TensorShape {
    SizeList sizes;                        ///< none negative
    OrderList dimOrder;                    ///< a permutation of the dimensions
    std::optional<std::int64_t> byteSize;  ///< of the dense tensor; nothing for an unknown dtype
};

/// Reads and checks the fields that say how a tensor is laid out; `table` is where they stand.
/// Errors: Format (a negative size, a dim order that is no permutation), Limit (2^63 bytes or more, and as
/// FlatView::copy).
[[nodiscard]] Result<TensorShape> readTensorShape(FlatView& view, std::int8_t scalarType,
                                                  const flatbuffers::Vector<std::int32_t>* sizes,
                                                  const flatbuffers::Vector<std::uint8_t>* dimOrder,
                                                  const FieldPath& path, const void* table);

}  // namespace et::core
