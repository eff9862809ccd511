#pragma once

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/layout/index_values.h"
#include "runtime/kernels/strided_copy.h"

#include <cstdint>
#include <span>

// The part of a tensor selected by index tensors, as in NumPy's advanced indexing:
// https://numpy.org/doc/stable/user/basics.indexing.html#advanced-indexing
namespace et::kernels {

/// Positions along one dimension: row-major indices of shape `sizes`.
struct IndexAxis {
    std::size_t dim = 0;
    Sizes sizes;
    std::span<const std::int64_t> numbers;
};
using IndexAxes = core::DimVector<IndexAxis>;

/// Selection of index tensors: one slice of `restSizes` at every position of `indexSizes`.
struct IndexedPart {
    Sizes indexSizes;                         ///< broadcast sizes of all index tensors
    std::span<const std::int64_t> offsets{};  ///< offset of each slice in the tensor, in elements, row-major
    Sizes restSizes;                          ///< sizes of the dimensions that are not indexed
    Strides restStrides;                      ///< their strides in the tensor
    std::size_t place = 0;                    ///< position of the index dimensions in the result

    [[nodiscard]] Sizes resultSizes() const;

    /// Calls `visit(offset, other)` for each slice in order: its offset in the tensor, and in a tensor of
    /// resultSizes() with the strides `result`.
    template <class Visit>
    void forSlices(const Strides& result, Visit&& visit) const;
    /// Returns the strides of the slice dimensions within those of the result.
    [[nodiscard]] Strides restOf(const Strides& result) const;
    [[nodiscard]] Strides indexOf(const Strides& result) const;
};

/// The index tensors of aten::index: for each dimension indices, a mask over one or more dimensions, or
/// nothing. Errors: InvalidArgument (more indices than dimensions, a mask of another shape), Unsupported (a
/// dtype).
[[nodiscard]] core::Result<IndexAxes> indexAxes(KernelContext& context, const Sizes& sizes,
                                                const OptionalTensorList& indices);

enum class NegativeIndex : bool { Refused, FromEnd };

/// Errors: InvalidArgument (index out of range, index shapes that do not broadcast), Limit.
[[nodiscard]] core::Result<IndexedPart> indexedPart(KernelContext& context, const ReadView& tensor,
                                                    const IndexAxes& axes, NegativeIndex negative);

template <class Visit>
void IndexedPart::forSlices(const Strides& result, Visit&& visit) const {
    forRowMajor(indexSizes, indexOf(result), [&](std::int64_t i, std::int64_t other) {
        visit(offsets[static_cast<std::size_t>(i)], other);
    });
}

}  // namespace et::kernels
