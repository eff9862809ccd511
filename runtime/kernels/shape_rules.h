#pragma once

#include "runtime/core/dim_vector.h"
#include "runtime/core/result.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>

// PyTorch's rules about dimensions and shapes, which most operators share.
namespace et::kernels {

using core::Sizes;
using core::Strides;

/// A dimension that may count from the end (-1: the last) as an index below `rank`. A tensor without
/// dimensions is treated as having one. Errors: InvalidArgument (out of range).
[[nodiscard]] core::Result<std::size_t> wrapDim(std::int64_t dim, std::size_t rank);

using DimSet = std::bitset<core::maxDims>;

/// The dimensions named by `dims`; all of them when `dims` is empty and `emptyMeansAll`. Errors:
/// InvalidArgument (out of range, named twice).
[[nodiscard]] core::Result<DimSet> wrapDims(std::span<const std::int64_t> dims, std::size_t rank,
                                            bool emptyMeansAll);

/// The sizes that both broadcast to (https://pytorch.org/docs/stable/notes/broadcasting.html).
/// Errors: InvalidArgument (they do not), Limit (more than maxDims dimensions).
[[nodiscard]] core::Result<Sizes> broadcastSizes(std::span<const std::int64_t> left,
                                                 std::span<const std::int64_t> right);

/// Steps in elements through a tensor of `sizes` and `strides` as if it had the sizes `target`, which it
/// broadcasts to: 0 where it repeats.
[[nodiscard]] Strides broadcastStrides(std::span<const std::int64_t> sizes,
                                       std::span<const std::int64_t> strides,
                                       std::span<const std::int64_t> target);

/// Walks through N tensors of the same sizes together, row by row. Dimensions that all of them can walk
/// through in one go are merged, so that rows are long; the order of the dimensions follows the first
/// tensor's memory. `strides` are in elements (0 repeats). N is 2 to 4.
template <std::size_t N>
class StridedWalk {
  public:
    StridedWalk(std::span<const std::int64_t> sizes, const std::array<Strides, N>& strides);

    /// Rows altogether, each of rowLength() elements; 0 rows for an empty tensor.
    [[nodiscard]] std::int64_t rows() const { return rowCount; }
    [[nodiscard]] std::int64_t rowLength() const { return length; }
    /// Elements from one element of a row to the next, for each tensor.
    [[nodiscard]] const std::array<std::int64_t, N>& rowStrides() const { return innerStrides; }

    /// The dimensions that rows lie along, innermost first, and the steps through them for each tensor.
    [[nodiscard]] const Sizes& outerDims() const { return outerSizes; }
    [[nodiscard]] const std::array<Strides, N>& outerDimStrides() const { return outerStrides; }
    /// The same walk staying at position 0 of one of outerDims(), for callers that step through it
    /// themselves.
    [[nodiscard]] StridedWalk without(std::size_t outerDim) const;

    /// Calls `visit(offsets)` with where rows [begin, end) start, in elements, for each tensor.
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
