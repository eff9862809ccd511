#include "runtime/kernels/dense/phases.h"

#include "runtime/kernels/simd_targets.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/dense/phases.cpp"
// Must precede highway.h.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace et::kernels::dense::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE void copyRow(const float* from, std::size_t count, float* to) {
    const hn::ScalableTag<float> d;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        hn::StoreU(hn::LoadU(d, from + i), d, to + i);
    }
    if (i < count) {
        hn::StoreN(hn::LoadN(d, from + i, count - i), d, to + i, count - i);
    }
}

/// Splits a row: copies elements with even index (`evens` of them) to one range, those with odd index to
/// another.
HWY_INLINE void splitRow(const float* from, std::size_t count, float* even, std::size_t evens, float* odd,
                         std::size_t odds) {
    const hn::ScalableTag<float> d;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + lanes <= odds && i + lanes <= evens; i += lanes) {
        const auto low = hn::LoadU(d, from + 2 * i);
        const auto high = hn::LoadU(d, from + 2 * i + lanes);
        hn::StoreU(hn::ConcatEven(d, high, low), d, even + i);
        hn::StoreU(hn::ConcatOdd(d, high, low), d, odd + i);
    }
    for (; i < evens || i < odds; i += lanes) {
        const std::size_t rest = count - std::min(count, 2 * i);
        const auto low = hn::LoadN(d, from + 2 * i, std::min(rest, lanes));
        const auto high =
            rest > lanes ? hn::LoadN(d, from + 2 * i + lanes, std::min(rest - lanes, lanes)) : hn::Zero(d);
        hn::StoreN(hn::ConcatEven(d, high, low), d, even + i, std::min(lanes, evens - std::min(i, evens)));
        hn::StoreN(hn::ConcatOdd(d, high, low), d, odd + i, std::min(lanes, odds - std::min(i, odds)));
    }
}

/// Splits one channel.
void splitImage(const PhaseSplit& split, const float* input, float* image) {
    for (const std::uint32_t row : split.rows) {
        float* target = image + row;
        if (split.step == 1) {
            copyRow(input, split.counts[0], target + split.columns[0]);
        } else if (split.step == 2) {
            splitRow(input, split.width, target + split.columns[0], split.counts[0],
                     target + split.columns[1], split.counts[1]);
        } else {
            for (std::size_t x = 0; x < split.step; ++x) {
                for (std::size_t j = 0; j < split.counts[x]; ++j) {
                    target[split.columns[x] + j] = input[x + j * split.step];
                }
            }
        }
        input += split.width;
    }
}

}  // namespace
}  // namespace et::kernels::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace et::kernels::dense {
namespace {

/// Elements that a vector of results may read beyond the last one.
constexpr std::int64_t slack = 16;

/// Number of rows (dim 1) or columns (dim 2) of each plane that the results need.
std::int64_t reach(const Convolution& shape, std::size_t dim) {
    const Filter& filter = shape.filter;
    return shape.output[dim] + (filter.kernel[dim] - 1) * filter.dilation[dim] / filter.stride[dim];
}

}  // namespace

HWY_EXPORT(splitImage);

bool hasPhases(const Convolution& shape) {
    constexpr std::int64_t largest = 16;
    const Filter& filter = shape.filter;
    bool fits = !filter.transposed && shape.input[0] == 1 && filter.kernel[0] == 1 &&
                filter.padding[0] == 0 && shape.output[0] == 1;
    for (std::size_t dim = 1; dim < spatialDims; ++dim) {
        fits = fits && filter.kernel[dim] <= largest &&
               filter.stride[dim] <= static_cast<std::int64_t>(PhaseSplit::maxSteps) &&
               filter.dilation[dim] <= largest && filter.padding[dim] <= largest * largest &&
               shape.input[dim] < (1 << 14);
    }
    return fits;
}

Phases::Phases(const Convolution& shape)
    : rows(reach(shape, 1)),
      pitch(reach(shape, 2)),
      planes(shape.filter.stride[1] * shape.filter.stride[2]),
      elements(planes * rows * pitch + slack) {
}

core::Result<PhaseSplit> makeSplit(KernelContext& context, const Convolution& shape, const Phases& phases) {
    const Filter& filter = shape.filter;
    const std::int64_t step = filter.stride[2];
    const std::int64_t padding = filter.padding[2];
    // Rows after the last one that results need are skipped.
    const std::int64_t needed =
        std::clamp<std::int64_t>(phases.rows * filter.stride[1] - filter.padding[1], 0, shape.input[1]);
    ET_ASSIGN(const auto rows, context.scratch<std::uint32_t>(static_cast<std::size_t>(needed)));
    for (std::int64_t y = 0; y < needed; ++y) {
        rows[static_cast<std::size_t>(y)] = phases.row(filter, y + filter.padding[1]);
    }
    PhaseSplit split{.rows = rows,
                     .width = static_cast<std::size_t>(shape.input[2]),
                     .step = static_cast<std::size_t>(step)};
    for (std::int64_t x = 0; x < step; ++x) {
        const std::int64_t given = (shape.input[2] - x + step - 1) / step;
        const std::int64_t wanted = phases.pitch - (x + padding) / step;
        const auto at = static_cast<std::size_t>(x);
        split.columns[at] = phases.column(filter, x + padding);
        split.counts[at] = static_cast<std::uint32_t>(std::max<std::int64_t>(0, std::min(given, wanted)));
    }
    return split;
}

core::Result<std::span<const std::uint32_t>> tapOffsets(KernelContext& context, const Filter& filter,
                                                        const Phases& phases) {
    ET_ASSIGN(const auto offsets, context.scratch<std::uint32_t>(static_cast<std::size_t>(filter.taps())));
    auto next = offsets.begin();
    for (std::int64_t y = 0; y < filter.kernel[1]; ++y) {
        for (std::int64_t x = 0; x < filter.kernel[2]; ++x) {
            *next++ =
                phases.row(filter, y * filter.dilation[1]) + phases.column(filter, x * filter.dilation[2]);
        }
    }
    return offsets;
}

void splitPhases(const PhaseSplit& split, const float* input, float* image) {
    HWY_DYNAMIC_DISPATCH(splitImage)(split, input, image);
}

}  // namespace et::kernels::dense
#endif  // HWY_ONCE
