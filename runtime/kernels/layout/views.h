#pragma once

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/strided_copy.h"
#include "runtime/kernels/type_promotion.h"

#include <cstdint>
#include <optional>
#include <string_view>

// What the operators of this folder share: arguments that name a part of a tensor, checked, and ways to copy
// one.
namespace et::kernels {

/// Errors: Limit (more dimensions than can run).
[[nodiscard]] core::Result<> expectRank(std::size_t rank);
/// A list of sizes as Sizes. Errors: Limit (too many), InvalidArgument (a negative one).
[[nodiscard]] core::Result<Sizes> sizesOf(IntList list);
/// Errors: InvalidArgument (a product or sum of sizes beyond 63 bits, which only empty tensors have).
[[nodiscard]] core::Result<std::int64_t> timesSize(std::int64_t size, std::int64_t factor);
[[nodiscard]] core::Result<std::int64_t> plusSize(std::int64_t size, std::int64_t more);

/// Gives `out` the view's sizes and copies it there. Errors: as resize(); InvalidArgument (another dtype).
[[nodiscard]] core::Result<> copyView(KernelContext& context, const ReadView& view, Tensor& out);
/// Likewise, converting to the dtype of `out`.
[[nodiscard]] core::Result<> convertView(KernelContext& context, const ReadView& view, Tensor& out);
/// Copies the elements in the order of the view's dimensions to those of `out` in the order of its own, which
/// has as many of the same dtype.
[[nodiscard]] core::Result<> copyReshaped(KernelContext& context, const ReadView& view, Tensor& out);

/// The view itself if its elements lie in row-major order without holes, else a copy of which this is true.
[[nodiscard]] core::Result<ReadView> rowMajor(KernelContext& context, const ReadView& view);
/// A row-major view in another shape of as many elements.
template <class Byte>
[[nodiscard]] StridedView<Byte> reshaped(StridedView<Byte> view, const Sizes& sizes) {
    view.sizes = sizes;
    view.strides = rowMajorStrides(sizes);
    return view;
}

/// Positions start, start + step, … of one dimension.
struct Slice {
    std::size_t dim = 0;
    std::int64_t start = 0;
    std::int64_t count = 0;
    std::int64_t step = 1;

    template <class Byte>
    void applyTo(StridedView<Byte>& view) const {
        view.narrow(dim, start, count, step);
    }
};

/// Python's self[…, start:end:step, …], where ends beyond the dimension are cut off. Errors: InvalidArgument
/// (no such dimension, a step below 1).
[[nodiscard]] core::Result<Slice> sliceOf(const Sizes& sizes, std::int64_t dim,
                                          std::optional<std::int64_t> start, std::optional<std::int64_t> end,
                                          std::int64_t step);
/// The one position `index`, which may count from the end. Errors: InvalidArgument (no such dimension or
/// position).
[[nodiscard]] core::Result<Slice> positionOf(const Sizes& sizes, std::int64_t dim, std::int64_t index);

/// The positions (start1 + i, start2 + i) of two dimensions.
struct Diagonal {
    std::size_t dim1 = 0;
    std::size_t dim2 = 1;
    std::int64_t start1 = 0;
    std::int64_t start2 = 0;
    std::int64_t count = 0;

    /// The diagonal becomes the last dimension.
    template <class Byte>
    void applyTo(StridedView<Byte>& view) const {
        view.narrow(dim1, start1, count);
        view.narrow(dim2, start2, count);
        const std::int64_t stride = view.strides[dim1] + view.strides[dim2];
        view.drop(std::max(dim1, dim2));
        view.drop(std::min(dim1, dim2));
        view.append(count, stride);
    }
};

/// Errors: InvalidArgument (no such dimensions, or both the same).
[[nodiscard]] core::Result<Diagonal> diagonalOf(const Sizes& sizes, std::int64_t offset, std::int64_t dim1,
                                                std::int64_t dim2);

}  // namespace et::kernels
