#pragma once

#include "runtime/core/tensor.h"
#include "runtime/kernels/kernel_context.h"
#include "runtime/kernels/reduction/element_access.h"
#include "runtime/kernels/reduction/slot_accumulator.h"
#include "runtime/kernels/shape_rules.h"
#include "runtime/kernels/type_promotion.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

// Mapping of input elements to result elements, and the order of iteration.
namespace et::kernels::reduction {

/// Returns the sizes of a result: without the reduced dimensions, or with 1 in their place.
[[nodiscard]] Sizes reducedSizes(const Tensor& input, DimSet dims, bool keepdim);

/// Returns the strides of a result in each dimension of the input: 0 in reduced dimensions. `result` has the
/// sizes returned by reducedSizes(), or the input's if a dimension is kept in full (softmax).
[[nodiscard]] Strides resultStrides(const Tensor& input, DimSet dims, bool keepdim, const Tensor& result);

/// Returns the stride of a tensor along the single dimension in `dims`; 0 for a tensor without dimensions.
[[nodiscard]] std::int64_t strideAlong(const Tensor& tensor, DimSet dims);

/// Returns the numbers, one per dimension, whose dimension is in `dims` (or is not, if `inSet` is false).
[[nodiscard]] Sizes pickDims(const Sizes& numbers, DimSet dims, bool inSet);

/// Returns the dimensions of the optional list of sum and similar operators: all if it is missing or empty.
[[nodiscard]] core::Result<DimSet> dimsToReduce(const Tensor& input,
                                                std::optional<std::span<const std::int64_t>> dims);
[[nodiscard]] core::Result<DimSet> oneDim(const Tensor& input, std::int64_t dim);
[[nodiscard]] DimSet allDims(const Tensor& input);

/// Number of input elements per result element.
[[nodiscard]] std::int64_t reducedCount(const Tensor& input, DimSet dims);

/// Checks that no reduced dimension is empty, for reductions without an identity. Errors: InvalidArgument.
[[nodiscard]] core::Result<> requireElements(const Tensor& input, DimSet dims);

/// Order of the reduced elements: memory order, or row-major order with indices starting at 0.
enum class WalkOrder : std::uint8_t { Memory, RowMajor };

struct ReductionSpace {
    /// Input and two results; one row element per result.
    StridedWalk<3> kept;
    /// Index (row-major order only) and input, relative to the position of `kept`.
    StridedWalk<2> reduced;
    std::int64_t count;  ///< input elements per result
};

/// `first` and `second` are the results; they may be the same tensor.
[[nodiscard]] ReductionSpace reductionSpace(const Tensor& input, DimSet dims, bool keepdim,
                                            const Tensor& first, const Tensor& second, WalkOrder order);

/// Minimum number of cheap elements per thread.
inline constexpr std::size_t cheapElements = 32768;

/// Calls `work(offsets, slots)` for pieces of the walk's rows of at most blockSize elements, on all threads;
/// `costEach` is the approximate number of elements that one row element represents.
template <std::size_t N, class Work>
void forBlocks(KernelContext& context, const StridedWalk<N>& walk, std::int64_t costEach, Work&& work) {
    const auto length = static_cast<std::size_t>(walk.rowLength());
    const auto rows = static_cast<std::size_t>(walk.rows());
    if (length == 0 || rows == 0) {
        return;
    }
    const std::size_t blocks = (length + blockSize - 1) / blockSize;
    const std::size_t cost = static_cast<std::size_t>(std::max<std::int64_t>(costEach, 1));
    const std::size_t blockCost = std::min(length, blockSize) * std::min(cost, cheapElements);
    context.threads().parallelFor(
        rows * blocks, cheapElements / blockCost + 1, [&](std::size_t begin, std::size_t end) {
            std::size_t unit = begin;
            const auto lastRow = static_cast<std::int64_t>((end - 1) / blocks);
            walk.forRows(static_cast<std::int64_t>(begin / blocks), lastRow + 1, [&](const auto& row) {
                do {
                    const std::size_t at = unit % blocks * blockSize;
                    auto offsets = row;
                    for (std::size_t t = 0; t < N; ++t) {
                        offsets[t] += static_cast<std::int64_t>(at) * walk.rowStrides()[t];
                    }
                    work(offsets, std::min(blockSize, length - at));
                    // NOLINTNEXTLINE(bugprone-inc-dec-in-conditions): && orders them
                } while (++unit < end && unit % blocks != 0);
            });
        });
}

/// Minimum number of adjacent results for which reducing them together, row by row of memory, pays off.
inline constexpr std::int64_t minColumns = 8;

[[nodiscard]] inline bool reducesColumns(std::int64_t keptStride, std::int64_t keptLength) {
    return keptStride == 1 && keptLength >= minColumns;
}

/// Calls `columns(offsets, lines)` for lines along the reduced dimension that are adjacent in the input,
/// otherwise `line(offsets)` for each line, on all threads. `costEach` is the cost per element; a cheap one
/// has cost 1.
template <class Columns, class Line>
void forLines(KernelContext& context, const ReductionSpace& space, std::int64_t costEach,
              const Columns& columns, const Line& line) {
    const auto& strides = space.kept.rowStrides();
    const bool sideBySide = reducesColumns(strides[0], space.kept.rowLength());
    forBlocks(context, space.kept, space.count * costEach, [&](auto offsets, std::size_t lines) {
        if (sideBySide) {
            columns(offsets, lines);
            return;
        }
        for (std::size_t i = 0; i < lines; ++i) {
            line(offsets);
            for (std::size_t t = 0; t < offsets.size(); ++t) {
                offsets[t] += strides[t];
            }
        }
    });
}

/// Feeds an accumulator with the elements of `slots` results, starting at `offset` in the input. Reader is an
/// ElementReader of float, double or int64, or a TruthReader.
template <class Reader>
void feed(SlotAccumulator<typename Reader::Element>& accumulator, const ReductionSpace& space,
          const Reader& input, std::int64_t offset, std::size_t slots);

/// Feeds the input to accumulators (each a SlotAccumulator) and calls `store(accumulator, offsets, slots)`
/// when they are complete, with the offsets of input and results.
template <class Accumulator, class Reader, class Store>
void reduce(KernelContext& context, const ReductionSpace& space, const Reader& input, const Store& store) {
    forBlocks(context, space.kept, space.count, [&](const auto& offsets, std::size_t slots) {
        Accumulator accumulator;
        feed(accumulator, space, input, offsets[0], slots);
        store(accumulator, offsets, slots);
    });
}

}  // namespace et::kernels::reduction
