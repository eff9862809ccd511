#include "runtime/kernels/reduction/reduction_walk.h"

#include "runtime/kernels/strided_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace et::kernels::reduction {

Sizes reducedSizes(const Tensor& input, DimSet dims, bool keepdim) {
    Sizes sizes;
    for (std::size_t dim = 0; dim < input.dim(); ++dim) {
        if (!dims.test(dim)) {
            sizes.push_back(input.size(dim));
        } else if (keepdim) {
            sizes.push_back(1);
        }
    }
    return sizes;
}

Strides resultStrides(const Tensor& input, DimSet dims, bool keepdim, const Tensor& result) {
    Strides strides(input.dim(), 0);
    std::size_t place = 0;
    for (std::size_t dim = 0; dim < input.dim(); ++dim) {
        if (!dims.test(dim)) {
            strides[dim] = result.stride(place);
        }
        place += !dims.test(dim) || keepdim ? 1 : 0;
    }
    return strides;
}

std::int64_t strideAlong(const Tensor& tensor, DimSet dims) {
    const Strides strides = pickDims(tensor.strides(), dims, true);
    return strides.empty() ? 0 : strides[0];
}

Sizes pickDims(const Sizes& numbers, DimSet dims, bool inSet) {
    Sizes picked;
    for (std::size_t dim = 0; dim < numbers.size(); ++dim) {
        if (dims.test(dim) == inSet) {
            picked.push_back(numbers[dim]);
        }
    }
    return picked;
}

core::Result<DimSet> dimsToReduce(const Tensor& input, std::optional<std::span<const std::int64_t>> dims) {
    return wrapDims(dims.value_or(std::span<const std::int64_t>()), input.dim(), true);
}

core::Result<DimSet> oneDim(const Tensor& input, std::int64_t dim) {
    return wrapDims(std::span(&dim, 1), input.dim(), false);
}

DimSet allDims(const Tensor& input) {
    return *wrapDims({}, input.dim(), true);
}

std::int64_t reducedCount(const Tensor& input, DimSet dims) {
    const Sizes sizes = pickDims(input.sizes(), dims, true);
    std::int64_t count = std::ranges::contains(sizes, 0) ? 0 : 1;
    for (const std::int64_t size : sizes) {
        // Overflow is only possible if there is no result.
        if (__builtin_mul_overflow(count, size, &count)) {
            return std::numeric_limits<std::int64_t>::max();
        }
    }
    return count;
}

core::Result<> requireElements(const Tensor& input, DimSet dims) {
    for (std::size_t dim = 0; input.numel() == 0 && dim < input.dim(); ++dim) {
        if (dims.test(dim) && input.size(dim) == 0) {
            return invalid(fmt::format("expected a non-empty dimension {}, got {}", dim,
                                       core::sizesText(input.sizes())));
        }
    }
    return {};
}

ReductionSpace reductionSpace(const Tensor& input, DimSet dims, bool keepdim, const Tensor& first,
                              const Tensor& second, WalkOrder order) {
    const auto strideOf = [&](const Tensor& result) {
        return pickDims(resultStrides(input, dims, keepdim, result), dims, false);
    };
    Sizes keptSizes = pickDims(input.sizes(), dims, false);
    Sizes sizes = pickDims(input.sizes(), dims, true);
    Strides keptStrides = pickDims(input.strides(), dims, false);
    Strides strides = pickDims(input.strides(), dims, true);
    if (input.numel() == 0) {
        // The other sizes of an empty tensor may overflow when multiplied.
        std::ranges::fill(keptStrides, 0);
        std::ranges::fill(strides, 0);
        std::ranges::fill(sizes, 0);
        if (std::ranges::contains(keptSizes, 0)) {
            std::ranges::fill(keptSizes, 0);
        }
    }
    return {.kept = StridedWalk<3>(keptSizes, {keptStrides, strideOf(first), strideOf(second)}),
            .reduced = StridedWalk<2>(
                sizes, {order == WalkOrder::RowMajor ? rowMajorStrides(sizes) : strides, strides}),
            .count = reducedCount(input, dims)};
}

template <class Reader>
void feed(SlotAccumulator<typename Reader::Element>& accumulator, const ReductionSpace& space,
          const Reader& input, std::int64_t offset, std::size_t slots) {
    const std::int64_t keptStride = space.kept.rowStrides()[0];
    const std::int64_t stride = space.reduced.rowStrides()[1];
    const std::int64_t length = space.reduced.rowLength();
    std::array<typename Reader::Element, blockSize> buffer;
    if (reducesColumns(keptStride, space.kept.rowLength())) {
        accumulator.start(0, slots);
        space.reduced.forRows(0, space.reduced.rows(), [&](const auto& row) {
            for (std::int64_t i = 0; i < length; ++i) {
                const auto* x = input.read(offset + row[1] + i * stride, 1, slots, buffer.data());
                accumulator.column(x, slots, row[0] + i);
            }
        });
        return;
    }
    for (std::size_t slot = 0; slot < slots; ++slot) {
        const std::int64_t base = offset + static_cast<std::int64_t>(slot) * keptStride;
        accumulator.start(slot, 1);
        space.reduced.forRows(0, space.reduced.rows(), [&](const auto& row) {
            for (std::int64_t i = 0; i < length; i += blockSize) {
                const auto count = std::min(static_cast<std::size_t>(length - i), blockSize);
                const auto* x = input.read(base + row[1] + i * stride, stride, count, buffer.data());
                accumulator.row(slot, x, count, row[0] + i);
            }
        });
    }
}

#define ET_INSTANTIATE(Reader)                                                                          \
    template void feed<Reader>(SlotAccumulator<Reader::Element>&, const ReductionSpace&, const Reader&, \
                               std::int64_t, std::size_t);
ET_INSTANTIATE(ElementReader<float>)
ET_INSTANTIATE(ElementReader<double>)
ET_INSTANTIATE(ElementReader<std::int64_t>)
ET_INSTANTIATE(TruthReader)
#undef ET_INSTANTIATE

}  // namespace et::kernels::reduction
