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

// Which elements of the input make which element of the result, and in what order.
namespace et::kernels::reduction {

/// The sizes of a result: without the dimensions that are reduced, or with 1 in their place.
[[nodiscard]] Sizes reducedSizes(const Tensor& input, DimSet dims, bool keepdim);

/// The strides of a result in each dimension of the input: 0 in those that are reduced. `result` has the
/// sizes that reducedSizes() gives, or where a dimension is kept as a whole (softmax), the input's.
[[nodiscard]] Strides resultStrides(const Tensor& input, DimSet dims, bool keepdim, const Tensor& result);

/// The stride of a tensor along the one dimension in `dims`; 0 for a tensor without dimensions.
[[nodiscard]] std::int64_t strideAlong(const Tensor& tensor, DimSet dims);

/// What `dims` keeps or not, of one number a dimension.
[[nodiscard]] Sizes pickDims(const Sizes& numbers, DimSet dims, bool inSet);

/// The optional list of dimensions of sum and its kin: all where there is none or it is empty.
[[nodiscard]] core::Result<DimSet> dimsToReduce(const Tensor& input,
                                                std::optional<std::span<const std::int64_t>> dims);
[[nodiscard]] core::Result<DimSet> oneDim(const Tensor& input, std::int64_t dim);
[[nodiscard]] DimSet allDims(const Tensor& input);

/// How many elements of the input make one of the result.
[[nodiscard]] std::int64_t reducedCount(const Tensor& input, DimSet dims);

/// Checks that no dimension to reduce is empty, where there is no value for nothing. Errors: InvalidArgument.
[[nodiscard]] core::Result<> requireElements(const Tensor& input, DimSet dims);

/// The order in which reduced elements come: as they lie in memory, or in row-major order with indices that
/// count from 0.
enum class WalkOrder : std::uint8_t { Memory, RowMajor };

struct ReductionSpace {
    /// Input and two results, one row element a result.
    StridedWalk<3> kept;
    /// Index (row-major order only) and input, from where `kept` is.
    StridedWalk<2> reduced;
    std::int64_t count;  ///< elements that make one result
};

/// `first` and `second` are the results, which may be the same tensor.
[[nodiscard]] ReductionSpace reductionSpace(const Tensor& input, DimSet dims, bool keepdim,
                                            const Tensor& first, const Tensor& second, WalkOrder order);

/// So many elements with little work each are worth a thread.
inline constexpr std::size_t cheapElements = 32768;

/// Calls `work(offsets, slots)` for pieces of the walk's rows of at most blockSize elements, on all threads;
/// `costEach` is about how many elements one of the row stands for.
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

/// From this many results side by side on it pays to reduce them together, row by row of memory.
inline constexpr std::int64_t minColumns = 8;

[[nodiscard]] inline bool reducesColumns(std::int64_t keptStride, std::int64_t keptLength) {
    return keptStride == 1 && keptLength >= minColumns;
}

/// Calls `columns(offsets, lines)` for lines along the reduced dimension that lie side by side in the input,
/// else `line(offsets)` for one after another, on all threads. `costEach` is that of an element, a cheap one
/// is 1.
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

/// Feeds an accumulator with the elements that make `slots` results from `offset` of the input on. Reader is
/// an ElementReader of float, double or int64, or a TruthReader.
template <class Reader>
void feed(SlotAccumulator<typename Reader::Element>& accumulator, const ReductionSpace& space,
          const Reader& input, std::int64_t offset, std::size_t slots);

/// Feeds the input to accumulators (a SlotAccumulator each) and calls `store(accumulator, offsets, slots)`
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
