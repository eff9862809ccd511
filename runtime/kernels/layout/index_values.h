#pragma once

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/strided_copy.h"

#include <cstdint>
#include <span>

// Index tensors: selection of elements by position or by mask.
namespace et::kernels {

/// Returns the elements of an int64 or int32 tensor in row-major order. Errors: Unsupported (another dtype).
[[nodiscard]] core::Result<std::span<const std::int64_t>> indexNumbers(KernelContext& context,
                                                                       const Tensor& index);

/// Returns whether each element of `view`, in row-major order, is nonzero; copied to temporary memory, so
/// that writing results does not change it.
[[nodiscard]] core::Result<std::span<const bool>> truthsOf(KernelContext& context, const ReadView& view);

/// Calls `visit(position)` for every true element, in row-major order, with its position in each dimension.
template <class Visit>
void forTruths(std::span<const bool> truths, const Sizes& sizes, Visit&& visit) {
    Sizes position(sizes.size(), 0);
    for (const bool truth : truths) {
        if (truth) {
            visit(position);
        }
        for (std::size_t dim = sizes.size(); dim-- > 0;) {
            if (++position[dim] < sizes[dim]) {
                break;
            }
            position[dim] = 0;
        }
    }
}

/// Calls `visit(i, offset)` for the elements of a tensor of `sizes` and `strides` in row-major order;
/// `offset` is in elements.
template <class Visit>
void forRowMajor(const Sizes& sizes, const Strides& strides, Visit&& visit) {
    if (std::ranges::contains(sizes, 0)) {
        return;
    }
    const StridedWalk<2> walk(sizes, {rowMajorStrides(sizes), strides});
    const auto [step, otherStep] = walk.rowStrides();
    walk.forRows(0, walk.rows(), [&](const std::array<std::int64_t, 2>& start) {
        for (std::int64_t i = 0; i < walk.rowLength(); ++i) {
            visit(start[0] + i * step, start[1] + i * otherStep);
        }
    });
}

}  // namespace et::kernels
