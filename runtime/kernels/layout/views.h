#pragma once

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/strided_copy.h"
#include "runtime/kernels/type_promotion.h"

#include <cstdint>
#include <optional>
#include <string_view>

// Helpers shared by the layout operators: checked arguments that select a part of a tensor, and ways to copy
// it.
namespace et::kernels {

/// Errors: Limit (more dimensions than supported).
[[nodiscard]] core::Result<> expectRank(std::size_t rank);
/// Converts a list of sizes to Sizes. Errors: Limit (too many), InvalidArgument (a negative size).
[[nodiscard]] core::Result<Sizes> sizesOf(IntList list);
/// Errors: InvalidArgument (a product or sum of sizes exceeds 63 bits, possible only for empty tensors).
[[nodiscard]] core::Result<std::int64_t> timesSize(std::int64_t size, std::int64_t factor);
[[nodiscard]] core::Result<std::int64_t> plusSize(std::int64_t size, std::int64_t more);

/// Resizes `out` to the view and copies it. Errors: as resize(); InvalidArgument (another dtype).
[[nodiscard]] core::Result<> copyView(KernelContext& context, const ReadView& view, Tensor& out);
/// Same as copyView(), with conversion to the dtype of `out`.
[[nodiscard]] core::Result<> convertView(KernelContext& context, const ReadView& view, Tensor& out);
/// Copies the elements of the view in row-major order to `out` in row-major order, which must have the same
/// number of elements and dtype.
[[nodiscard]] core::Result<> copyReshaped(KernelContext& context, const ReadView& view, Tensor& out);

/// Returns the view itself if its elements are row-major and contiguous, otherwise a copy that is.
[[nodiscard]] core::Result<ReadView> rowMajor(KernelContext& context, const ReadView& view);
/// Views a row-major view in another shape with the same number of elements.
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

/// Python's self[…, start:end:step, …]; ends beyond the dimension are clamped. Errors: InvalidArgument (no
/// such dimension, a step below 1).
[[nodiscard]] core::Result<Slice> sliceOf(const Sizes& sizes, std::int64_t dim,
                                          std::optional<std::int64_t> start, std::optional<std::int64_t> end,
                                          std::int64_t step);
/// The single position `index`; negative values count from the end. Errors: InvalidArgument (no such
/// dimension or position).
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

/// Errors: InvalidArgument (no such dimensions, or identical ones).
[[nodiscard]] core::Result<Diagonal> computeDiagonal(const Sizes& sizes, std::int64_t offset,
                                                     std::int64_t dim1, std::int64_t dim2);

}  // namespace et::kernels
