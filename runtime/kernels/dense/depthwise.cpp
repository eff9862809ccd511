#include "runtime/kernels/dense/depthwise.h"

#include "runtime/kernels/followers.h"
#include "runtime/kernels/kernel_context.h"
#include "runtime/kernels/simd_targets.h"

#include <algorithm>
#include <array>
#include <span>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/dense/depthwise.cpp"
// Must come before highway.h.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef ET_DEPTHWISE_FILTER
#define ET_DEPTHWISE_FILTER
namespace et::kernels::dense {
namespace {

/// What one channel of results is computed with.
struct DepthwiseFilter {
    const std::uint32_t* offsets;  ///< of each tap, in elements
    const float* weights;
    std::size_t taps;
    float bias;
};

/// How a channel is split into phases, see below.
struct DepthwiseSplit {
    static constexpr std::size_t maxSteps = 4;

    std::span<const std::uint32_t> rows;  ///< where each row of the input goes, in elements
    std::size_t width = 0;                ///< of the input
    std::size_t step = 1;                 ///< columns x, x + step, … stay together
    std::array<std::uint32_t, maxSteps>
        columns{};  ///< where those from column x on go, beside the row's place
    std::array<std::uint32_t, maxSteps> counts{};  ///< how many they are
};

}  // namespace
}  // namespace et::kernels::dense
#endif  // ET_DEPTHWISE_FILTER

HWY_BEFORE_NAMESPACE();
namespace et::kernels::dense::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// `vectors` vectors that lie `step` elements apart in `image` and `resultStep` apart in the result, the last
/// of which (where it ends a row, all of them) has `columns` elements: result[j] = bias + sum over taps of
/// weights[tap] * image[offsets[tap] + j].
template <std::size_t vectors, class D>
HWY_INLINE void filterBlock(D d, const DepthwiseFilter& filter, const float* image, std::size_t step,
                            float* result, std::size_t resultStep, std::size_t columns) {
    hn::Vec<D> sums[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
        sums[v] = hn::Set(d, filter.bias);
    }
    for (std::size_t tap = 0; tap < filter.taps; ++tap) {
        const float* from = image + filter.offsets[tap];
        const auto weight = hn::Set(d, filter.weights[tap]);
        for (std::size_t v = 0; v < vectors; ++v) {
            sums[v] = hn::MulAdd(weight, hn::LoadU(d, from + v * step), sums[v]);
        }
    }
    for (std::size_t v = 0; v < vectors; ++v) {
        if (columns == hn::Lanes(d)) {
            hn::StoreU(sums[v], d, result + v * resultStep);
        } else {
            hn::StoreN(sums[v], d, result + v * resultStep, columns);
        }
    }
}

/// One image of results.
void filterImage(const DepthwiseFilter& filter, const float* image, std::size_t pitch, float* result,
                 std::size_t rows, std::size_t columns) {
    const hn::ScalableTag<float> d;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t row = 0;
    if (columns <= lanes) {
        for (; row + 4 <= rows; row += 4) {
            filterBlock<4>(d, filter, image + row * pitch, pitch, result + row * columns, columns, columns);
        }
        for (; row + 2 <= rows; row += 2) {
            filterBlock<2>(d, filter, image + row * pitch, pitch, result + row * columns, columns, columns);
        }
    }
    for (; row < rows; ++row) {
        const float* from = image + row * pitch;
        float* to = result + row * columns;
        std::size_t column = 0;
        for (; column + 4 * lanes <= columns; column += 4 * lanes) {
            filterBlock<4>(d, filter, from + column, lanes, to + column, lanes, lanes);
        }
        for (; column + 2 * lanes <= columns; column += 2 * lanes) {
            filterBlock<2>(d, filter, from + column, lanes, to + column, lanes, lanes);
        }
        for (; column < columns; column += lanes) {
            filterBlock<1>(d, filter, from + column, lanes, to + column, lanes,
                           std::min(lanes, columns - column));
        }
    }
}

/// Copies a row.
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

/// Copies the elements with even index of a row to one place, `evens` of them, those with odd index to
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
void splitImage(const DepthwiseSplit& split, const float* input, float* image) {
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

}  // namespace et::kernels::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace et::kernels::dense {
namespace {

HWY_EXPORT(filterImage);
HWY_EXPORT(splitImage);

/// What a vector of results may reach beyond the last one.
constexpr std::int64_t slack = 16;

/// The padded image of one channel, split by stride: a plane for each remainder of row and column, so that
/// the elements that a tap meets on its way along a row of results lie one behind the other.
struct Phases {
    std::int64_t rows;    ///< of a plane
    std::int64_t pitch;   ///< of a row
    std::int64_t planes;  ///< stride x stride
    std::int64_t elements;

    explicit Phases(const Convolution& shape)
        : rows(reach(shape, 1)),
          pitch(reach(shape, 2)),
          planes(shape.filter.stride[1] * shape.filter.stride[2]),
          elements(planes * rows * pitch + slack) {}

    /// Rows (dim 1) or columns (dim 2) that results need of each plane.
    static std::int64_t reach(const Convolution& shape, std::size_t dim) {
        const Filter& filter = shape.filter;
        return shape.output[dim] + (filter.kernel[dim] - 1) * filter.dilation[dim] / filter.stride[dim];
    }

    /// Where row `y` and column `x` of the padded image lie: the sum of the two.
    [[nodiscard]] std::uint32_t row(const Filter& filter, std::int64_t y) const {
        const std::int64_t plane = y % filter.stride[1] * filter.stride[2];
        return static_cast<std::uint32_t>((plane * rows + y / filter.stride[1]) * pitch);
    }
    [[nodiscard]] std::uint32_t column(const Filter& filter, std::int64_t x) const {
        return static_cast<std::uint32_t>(x % filter.stride[2] * rows * pitch + x / filter.stride[2]);
    }
};

core::Result<DepthwiseSplit> makeSplit(KernelContext& context, const Convolution& shape,
                                       const Phases& phases) {
    const Filter& filter = shape.filter;
    const std::int64_t step = filter.stride[2];
    const std::int64_t padding = filter.padding[2];
    // Rows behind the last one that results need stay out.
    const std::int64_t needed =
        std::clamp<std::int64_t>(phases.rows * filter.stride[1] - filter.padding[1], 0, shape.input[1]);
    ET_ASSIGN(const auto rows, context.scratch<std::uint32_t>(static_cast<std::size_t>(needed)));
    for (std::int64_t y = 0; y < needed; ++y) {
        rows[static_cast<std::size_t>(y)] = phases.row(filter, y + filter.padding[1]);
    }
    DepthwiseSplit split{.rows = rows,
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

auto splitImageFunction() {
    return HWY_DYNAMIC_POINTER(splitImage);
}
auto filterImageFunction() {
    return HWY_DYNAMIC_POINTER(filterImage);
}

/// Computes all results of input channels, one after the other.
class Channels {
  public:
    Channels(const Convolution& convolution, const Phases& planes, const DepthwiseSplit& howToSplit,
             std::span<const std::uint32_t> placesOfTaps, std::span<float> memory,
             const Followers* instructions)
        : shape(convolution),
          phases(planes),
          split(howToSplit),
          offsets(placesOfTaps),
          image(memory),
          followers(instructions) {
        // What no row of the input reaches is 0 for all channels.
        std::ranges::fill(image, 0.0F);
    }

    /// `first`: the number of the first channel of results.
    void run(const float* input, const float* weight, const float* bias, std::size_t first, float* output) {
        const auto plane = static_cast<std::size_t>(shape.outputPlane());
        splitImage(split, input, image.data());
        for (std::int64_t i = 0; i < shape.filter.groupOutputs(); ++i) {
            const DepthwiseFilter filter{.offsets = offsets.data(),
                                         .weights = weight + static_cast<std::size_t>(i) * offsets.size(),
                                         .taps = offsets.size(),
                                         .bias = bias == nullptr ? 0.0F : bias[i]};
            float* results = output + i * shape.outputPlane();
            filterImage(filter, image.data(), static_cast<std::size_t>(phases.pitch), results,
                        static_cast<std::size_t>(shape.output[1]), static_cast<std::size_t>(shape.output[2]));
            if (followers != nullptr) {
                followers->apply({.elements = results,
                                  .channel = first + static_cast<std::size_t>(i),
                                  .channels = 1,
                                  .columns = plane,
                                  .stride = plane});
            }
        }
    }

  private:
    const Convolution& shape;
    const Phases& phases;
    const DepthwiseSplit& split;
    std::span<const std::uint32_t> offsets;
    std::span<float> image;
    const Followers* followers;
    void (*const splitImage)(const DepthwiseSplit&, const float*, float*) = splitImageFunction();
    void (*const filterImage)(const DepthwiseFilter&, const float*, std::size_t, float*, std::size_t,
                              std::size_t) = filterImageFunction();
};

}  // namespace

bool isDepthwise(const Convolution& shape) {
    constexpr std::int64_t largest = 16;
    const Filter& filter = shape.filter;
    bool fits = !filter.transposed && filter.groupInputs() == 1 && shape.input[0] == 1 &&
                filter.kernel[0] == 1 && filter.padding[0] == 0 && shape.output[0] == 1;
    for (std::size_t dim = 1; dim < spatialDims; ++dim) {
        fits = fits && filter.kernel[dim] <= largest &&
               filter.stride[dim] <= static_cast<std::int64_t>(DepthwiseSplit::maxSteps) &&
               filter.dilation[dim] <= largest && filter.padding[dim] <= largest * largest &&
               shape.input[dim] < (1 << 14);
    }
    return fits;
}

core::Result<> depthwise(KernelContext& context, const Convolution& shape, const float* input,
                         const float* weight, const float* bias, float* output, const Followers* followers) {
    const Filter& filter = shape.filter;
    const Phases phases(shape);
    ET_ASSIGN(const auto offsets, tapOffsets(context, filter, phases));
    ET_ASSIGN(const DepthwiseSplit split, makeSplit(context, shape, phases));
    const auto channels = static_cast<std::size_t>(shape.batch * filter.inputChannels);
    const std::size_t workers = std::min(context.threads().threads(), channels);
    const auto need = static_cast<std::size_t>(phases.elements);
    ET_ASSIGN(const auto memory, context.scratch<float>(workers * need));
    context.threads().parallelFor(workers, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Channels worker(shape, phases, split, offsets, memory.subspan(i * need, need), followers);
            for (std::size_t item = i * channels / workers; item < (i + 1) * channels / workers; ++item) {
                const auto at = static_cast<std::int64_t>(item);
                const std::int64_t firstOutput = at % filter.inputChannels * filter.groupOutputs();
                worker.run(input + at * shape.inputPlane(), weight + firstOutput * filter.taps(),
                           bias == nullptr ? nullptr : bias + firstOutput,
                           static_cast<std::size_t>(firstOutput),
                           output + at * filter.groupOutputs() * shape.outputPlane());
            }
        }
    });
    return {};
}

}  // namespace et::kernels::dense
#endif  // HWY_ONCE
