#pragma once

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/layout/index_values.h"
#include "runtime/kernels/strided_copy.h"

#include <cstdint>
#include <span>

// The part of a tensor that index tensors choose, as NumPy's advanced indexing has it:
// https://numpy.org/doc/stable/user/basics.indexing.html#advanced-indexing
namespace et::kernels {

/// Positions along one dimension, by numbers in the shape `sizes`, row-major.
struct IndexAxis {
    std::size_t dim = 0;
    Sizes sizes;
    std::span<const std::int64_t> numbers;
};
using IndexAxes = core::DimVector<IndexAxis>;

/// What index tensors choose of a tensor: at every position of `indexSizes` a slice of `restSizes`.
struct IndexedPart {
    Sizes indexSizes;                         ///< of all index tensors, broadcast
    std::span<const std::int64_t> offsets{};  ///< of each slice in the tensor, in elements, row-major
    Sizes restSizes;                          ///< of the dimensions that are not indexed
    Strides restStrides;                      ///< of them in the tensor
    std::size_t place = 0;                    ///< where in the result the dimensions of the index stand

    [[nodiscard]] Sizes resultSizes() const;

    /// Calls `visit(offset, other)` for each slice, in turn: where it starts in the tensor, and in a tensor
    /// of resultSizes() with the strides `result`.
    template <class Visit>
    void forSlices(const Strides& result, Visit&& visit) const;
    /// The strides of the slice's dimensions among those of the result.
    [[nodiscard]] Strides restOf(const Strides& result) const;
    [[nodiscard]] Strides indexOf(const Strides& result) const;
};

/// The index tensors of aten::index: for each dimension numbers, a mask over one dimension or several, or
/// nothing. Errors: InvalidArgument (more than there are dimensions, a mask of another shape), Unsupported (a
/// dtype).
[[nodiscard]] core::Result<IndexAxes> indexAxes(KernelContext& context, const Sizes& sizes,
                                                const OptionalTensorList& indices);

enum class NegativeIndex : bool { Refused, FromEnd };

/// Errors: InvalidArgument (a number outside of its dimension, index shapes that do not broadcast), Limit.
[[nodiscard]] core::Result<IndexedPart> indexedPart(KernelContext& context, const ReadView& tensor,
                                                    const IndexAxes& axes, NegativeIndex negative);

template <class Visit>
void IndexedPart::forSlices(const Strides& result, Visit&& visit) const {
    forRowMajor(indexSizes, indexOf(result), [&](std::int64_t i, std::int64_t other) {
        visit(offsets[static_cast<std::size_t>(i)], other);
    });
}

}  // namespace et::kernels
