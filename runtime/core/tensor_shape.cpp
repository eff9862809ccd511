#include "runtime/core/tensor_shape.h"

#include "runtime/core/scalar_type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bitset>
#include <limits>

namespace et::core {
namespace {

/// Maximum number of dimensions shown in an error; a malicious file may have millions.
constexpr std::size_t maxShown = 16;

template <class T>
std::string shown(const T& numbers) {
    const std::span first(numbers.data(), std::min(numbers.size(), maxShown));
    return fmt::format("[{}{}]", fmt::join(first, ", "), first.size() < numbers.size() ? ", ..." : "");
}

bool isPermutation(const OrderList& order) {
    std::bitset<std::numeric_limits<std::uint8_t>::max() + 1> seen;
    for (const std::uint8_t dimension : order) {
        if (dimension >= order.size() || seen[dimension]) {
            return false;
        }
        seen[dimension] = true;
    }
    return true;
}

Result<> checkSizes(const FlatView& view, const SizeList& sizes, const FieldPath& path, const void* place) {
    const auto negative = std::ranges::find_if(sizes, [](std::int64_t size) { return size < 0; });
    if (negative == sizes.end()) {
        return {};
    }
    const FieldPath element = path.at(static_cast<std::size_t>(negative - sizes.begin()));
    return view.fail(ErrorCode::Format, element, place,
                     fmt::format("expected a size of at least 0, got {}", *negative));
}

Result<> checkDimOrder(const FlatView& view, const TensorShape& shape, const FieldPath& path,
                       const void* place) {
    if (shape.dimOrder.size() == shape.sizes.size() && isPermutation(shape.dimOrder)) {
        return {};
    }
    return view.fail(ErrorCode::Format, path, place,
                     fmt::format("expected a permutation of {} dimensions, got {}", shape.sizes.size(),
                                 shown(shape.dimOrder)));
}

/// The vector, or the table if the vector is missing, as the location of an error.
const void* placeOf(const void* vector, const void* table) {
    return vector != nullptr ? vector : table;
}

}  // namespace

Result<TensorShape> readTensorShape(FlatView& view, std::int8_t scalarType,
                                    const flatbuffers::Vector<std::int32_t>* sizes,
                                    const flatbuffers::Vector<std::uint8_t>* dimOrder, const FieldPath& path,
                                    const void* table) {
    TensorShape shape;
    const FieldPath sizesPath = path.field("sizes");
    const FieldPath orderPath = path.field("dim_order");
    ET_TRY(view.copyInto(shape.sizes, sizes, sizesPath));
    ET_TRY(view.copyInto(shape.dimOrder, dimOrder, orderPath));
    ET_TRY(checkSizes(view, shape.sizes, sizesPath, placeOf(sizes, table)));
    ET_TRY(checkDimOrder(view, shape, orderPath, placeOf(dimOrder, table)));
    shape.byteSize = tensorBytes(scalarType, std::span<const std::int64_t>(shape.sizes));
    if (!shape.byteSize && core::scalarType(scalarType)) {
        return view.fail(ErrorCode::Limit, sizesPath, placeOf(sizes, table),
                         fmt::format("expected a tensor of less than 2^63 bytes, got {} of {}",
                                     shown(shape.sizes), scalarTypeName(scalarType)));
    }
    return shape;
}

}  // namespace et::core
