#pragma once

#include "runtime/core/dim_vector.h"
#include "runtime/core/result.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>

// PyTorch's rules for dimensions and shapes, shared by most operators.
namespace et::kernels {

using core::Sizes;
using core::Strides;

/// Converts a dimension, possibly negative (-1: the last), to an index below `rank`. A tensor without
/// dimensions is treated as having one. Errors: InvalidArgument (out of range).
[[nodiscard]] core::Result<std::size_t> wrapDim(std::int64_t dim, std::size_t rank);

using DimSet = std::bitset<core::maxDims>;

/// Returns the dimensions listed in `dims`; all of them if `dims` is empty and `emptyMeansAll`. Errors:
/// InvalidArgument (out of range, listed twice).
[[nodiscard]] core::Result<DimSet> wrapDims(std::span<const std::int64_t> dims, std::size_t rank,
                                            bool emptyMeansAll);

/// Returns the sizes that both broadcast to (https://pytorch.org/docs/stable/notes/broadcasting.html).
/// Errors: InvalidArgument (they do not broadcast), Limit (more than maxDims dimensions).
[[nodiscard]] core::Result<Sizes> broadcastSizes(std::span<const std::int64_t> left,
                                                 std::span<const std::int64_t> right);

/// Returns the strides, in elements, of a tensor of `sizes` and `strides` broadcast to the sizes `target`: 0
/// in repeated dimensions.
[[nodiscard]] Strides broadcastStrides(std::span<const std::int64_t> sizes,
                                       std::span<const std::int64_t> strides,
                                       std::span<const std::int64_t> target);

/// Iterates over N tensors of the same sizes together, row by row. Dimensions that are contiguous in all of
/// them are merged, so rows are long; the order of dimensions follows the first tensor's memory. `strides`
/// are in elements (0 repeats). N is 2 to 4.
template <std::size_t N>
class StridedWalk {
  public:
    StridedWalk(std::span<const std::int64_t> sizes, const std::array<Strides, N>& strides);

    /// Total number of rows, each of rowLength() elements; 0 for an empty tensor.
    [[nodiscard]] std::int64_t rows() const { return rowCount; }
    [[nodiscard]] std::int64_t rowLength() const { return length; }
    /// Stride between elements of a row, per tensor.
    [[nodiscard]] const std::array<std::int64_t, N>& rowStrides() const { return innerStrides; }

    /// The dimensions outside the rows, innermost first, and their strides per tensor.
    [[nodiscard]] const Sizes& outerDims() const { return outerSizes; }
    [[nodiscard]] const std::array<Strides, N>& outerDimStrides() const { return outerStrides; }
    /// The same walk fixed at position 0 of one of outerDims(), for callers that iterate over it themselves.
    [[nodiscard]] StridedWalk without(std::size_t outerDim) const;

    /// Calls `visit(offsets)` for rows [begin, end) with the start of each, in elements, per tensor.
    template <class Visit>
    void forRows(std::int64_t begin, std::int64_t end, Visit&& visit) const;

  private:
    std::int64_t rowCount = 0;
    std::int64_t length = 0;
    std::array<std::int64_t, N> innerStrides{};
    Sizes outerSizes;  ///< innermost first
    std::array<Strides, N> outerStrides;
};

template <std::size_t N>
template <class Visit>
void StridedWalk<N>::forRows(std::int64_t begin, std::int64_t end, Visit&& visit) const {
    if (begin >= end) {
        return;
    }
    Sizes at(outerSizes.size(), 0);
    std::array<std::int64_t, N> offsets{};
    std::int64_t rest = begin;
    for (std::size_t i = 0; i < outerSizes.size(); ++i) {
        at[i] = rest % outerSizes[i];
        rest /= outerSizes[i];
        for (std::size_t t = 0; t < N; ++t) {
            offsets[t] += at[i] * outerStrides[t][i];
        }
    }
    for (std::int64_t row = begin; row < end; ++row) {
        visit(offsets);
        for (std::size_t i = 0; i < outerSizes.size(); ++i) {
            const bool carry = ++at[i] == outerSizes[i];
            for (std::size_t t = 0; t < N; ++t) {
                offsets[t] += carry ? -(outerSizes[i] - 1) * outerStrides[t][i] : outerStrides[t][i];
            }
            if (!carry) {
                break;
            }
            at[i] = 0;
        }
    }
}

}  // namespace et::kernels
