#include "runtime/kernels/dense/convolution_rows.h"

#include "runtime/kernels/dense/elements.h"
#include "runtime/kernels/dense/matrix_product.h"
#include "runtime/kernels/dense/phases.h"
#include "runtime/kernels/simd_targets.h"

#include <algorithm>
#include <span>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/dense/convolution_rows.cpp"
// Must come before highway.h.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// For each instruction set, like the rest.
#include "runtime/kernels/result_steps-inl.h"

#ifndef ET_CONVOLUTION_ROWS_STRIP
#define ET_CONVOLUTION_ROWS_STRIP
namespace et::kernels::dense {
namespace {

/// A row of results of a strip of output channels.
struct RowStrip {
    std::span<const std::uint32_t> offsets;  ///< of each tap of each input channel
    const float* weights;                    ///< packed
    const float* bias;                       ///< null: none
    const float* image;
    float* result;
    std::size_t resultStride;  ///< from one channel to the next
    std::size_t columns;
    std::size_t channels;  ///< at most stripRows
    std::size_t channel;   ///< the first one, for the steps
    ResultSteps steps;
};

}  // namespace
}  // namespace et::kernels::dense
#endif

HWY_BEFORE_NAMESPACE();
namespace et::kernels::dense::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using V = hn::Vec<Floats>;

/// As in matrix_product.cpp: sums, vectors of the image and a weight fit the registers.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr std::size_t mostChannels = stripRows;
#else
constexpr std::size_t mostChannels = 4;
#endif
constexpr std::size_t mostVectors = 3;

/// `vectors` vectors of `channels` channels from number `first` of the strip on.
template <std::size_t channels, std::size_t vectors>
HWY_INLINE void convolveBlock(const RowStrip& strip, std::size_t first, std::size_t column,
                              std::size_t lastColumns) {
    const Floats d;
    const std::size_t lanes = hn::Lanes(d);
    V sums[channels][vectors];
    for (std::size_t c = 0; c < channels; ++c) {
        for (V& sum : sums[c]) {
            sum = strip.bias == nullptr ? hn::Zero(d) : hn::Set(d, strip.bias[first + c]);
        }
    }
    const float* const image = strip.image + column;
    const float* weights = strip.weights + first;
    for (const std::uint32_t offset : strip.offsets) {
        V numbers[vectors];
        for (std::size_t v = 0; v < vectors; ++v) {
            numbers[v] = hn::LoadU(d, image + offset + v * lanes);
        }
        for (std::size_t c = 0; c < channels; ++c) {
            const V weight = hn::Set(d, weights[c]);
            for (std::size_t v = 0; v < vectors; ++v) {
                sums[c][v] = hn::MulAdd(weight, numbers[v], sums[c][v]);
            }
        }
        weights += stripRows;
    }
    kernels::HWY_NAMESPACE::doSteps(d, strip.steps, strip.channel + first, sums);
    for (std::size_t c = 0; c < channels; ++c) {
        float* const result = strip.result + (first + c) * strip.resultStride + column;
        for (std::size_t v = 0; v + 1 < vectors; ++v) {
            hn::StoreU(sums[c][v], d, result + v * lanes);
        }
        hn::StoreN(sums[c][vectors - 1], d, result + (vectors - 1) * lanes, lastColumns);
    }
}

template <std::size_t channels>
HWY_NOINLINE void convolveChannels(const RowStrip& strip, std::size_t first) {
    const std::size_t lanes = hn::Lanes(Floats());
    for (std::size_t column = 0; column < strip.columns;) {
        // Seven vectors are three, two and two: one alone would wait for its own sums.
        const std::size_t rest = (strip.columns - column + lanes - 1) / lanes;
        const std::size_t blocks = (rest + mostVectors - 1) / mostVectors;
        const std::size_t vectors = (rest + blocks - 1) / blocks;
        const std::size_t lastColumns = std::min(lanes, strip.columns - column - (vectors - 1) * lanes);
        switch (vectors) {
            case 1:
                convolveBlock<channels, 1>(strip, first, column, lastColumns);
                break;
            case 2:
                convolveBlock<channels, 2>(strip, first, column, lastColumns);
                break;
            default:
                convolveBlock<channels, mostVectors>(strip, first, column, lastColumns);
                break;
        }
        column += vectors * lanes;
    }
}

void convolveStrip(const RowStrip& strip) {
    for (std::size_t first = 0; first < strip.channels;) {
        const std::size_t rest = strip.channels - first;
        if (rest >= mostChannels) {
            convolveChannels<mostChannels>(strip, first);
            first += mostChannels;
        } else if (rest >= 4) {
            convolveChannels<4>(strip, first);
            first += 4;
        } else if (rest >= 2) {
            convolveChannels<2>(strip, first);
            first += 2;
        } else {
            convolveChannels<1>(strip, first);
            first += 1;
        }
    }
}

}  // namespace
}  // namespace et::kernels::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace et::kernels::dense {
namespace {

HWY_EXPORT(convolveStrip);

/// Where each tap lies in each input channel: sums are in XNNPACK's order, tap by tap.
core::Result<std::span<const std::uint32_t>> allOffsets(KernelContext& context, const Filter& filter,
                                                        const Phases& phases) {
    ET_ASSIGN(const auto ofTaps, tapOffsets(context, filter, phases));
    ET_ASSIGN(const auto all, context.scratch<std::uint32_t>(toSize(filter.inputChannels) * ofTaps.size()));
    auto next = all.begin();
    for (const std::uint32_t tap : ofTaps) {
        for (std::int64_t channel = 0; channel < filter.inputChannels; ++channel) {
            *next++ = static_cast<std::uint32_t>(channel * phases.elements) + tap;
        }
    }
    return all;
}

/// All rows of one sample.
class Rows {
  public:
    Rows(const Convolution& convolution, const Phases& planes, std::span<const std::uint32_t> taps,
         const float* packed, const float* biases, ResultSteps doing)
        : shape(convolution), phases(planes), offsets(taps), weights(packed), bias(biases), steps(doing) {}

    void run(std::size_t row, const float* image, float* output) const {
        const auto plane = toSize(shape.outputPlane());
        const auto columns = toSize(shape.output[2]);
        const auto outputs = toSize(shape.filter.outputChannels);
        for (std::size_t first = 0; first < outputs; first += stripRows) {
            HWY_DYNAMIC_DISPATCH(convolveStrip)
            ({.offsets = offsets,
              .weights = weights + first * offsets.size(),
              .bias = bias == nullptr ? nullptr : bias + first,
              .image = image + row * toSize(phases.pitch),
              .result = output + first * plane + row * columns,
              .resultStride = plane,
              .columns = columns,
              .channels = std::min(stripRows, outputs - first),
              .channel = first,
              .steps = steps});
        }
    }

  private:
    const Convolution& shape;
    const Phases& phases;
    std::span<const std::uint32_t> offsets;
    const float* weights;
    const float* bias;
    ResultSteps steps;
};

}  // namespace

bool hasFewInputs(const Convolution& shape) {
    constexpr std::int64_t mostInputs = 4;
    constexpr std::int64_t leastOutputs = 8;
    constexpr std::int64_t leastColumns = 12;
    return shape.filter.groups == 1 && shape.filter.inputChannels <= mostInputs &&
           shape.filter.outputChannels >= leastOutputs && shape.output[2] >= leastColumns && hasPhases(shape);
}

core::Result<> packRowsWeight(KernelContext& context, const Filter& filter, const float* weight,
                              float* packed) {
    const auto outputs = toSize(filter.outputChannels);
    const auto inputs = toSize(filter.inputChannels);
    const auto taps = toSize(filter.taps());
    ET_ASSIGN(const auto byTaps, context.scratch<float>(outputs * inputs * taps));
    auto next = byTaps.begin();
    for (std::size_t output = 0; output < outputs; ++output) {
        for (std::size_t tap = 0; tap < taps; ++tap) {
            for (std::size_t input = 0; input < inputs; ++input) {
                *next++ = weight[(output * inputs + input) * taps + tap];
            }
        }
    }
    packLeft(byTaps.data(), outputs, inputs * taps, inputs * taps, 1, packed);
    return {};
}

core::Result<> convolveRows(KernelContext& context, const Convolution& shape, const float* input,
                            const float* packedWeight, const float* bias, float* output, ResultSteps steps) {
    const Filter& filter = shape.filter;
    const Phases phases(shape);
    ET_ASSIGN(const PhaseSplit split, makeSplit(context, shape, phases));
    ET_ASSIGN(const auto offsets, allOffsets(context, filter, phases));
    ET_ASSIGN(const auto image, context.scratch<float>(toSize(filter.inputChannels * phases.elements)));
    std::ranges::fill(image, 0.0F);
    const Rows rows(shape, phases, offsets, packedWeight, bias, steps);
    for (std::int64_t sample = 0; sample < shape.batch; ++sample) {
        const float* const from = input + sample * filter.inputChannels * shape.inputPlane();
        float* const to = output + sample * filter.outputChannels * shape.outputPlane();
        context.threads().parallelFor(toSize(filter.inputChannels), 1,
                                      [&](std::size_t begin, std::size_t end) {
                                          for (std::size_t channel = begin; channel < end; ++channel) {
                                              splitPhases(split, from + channel * toSize(shape.inputPlane()),
                                                          image.data() + channel * toSize(phases.elements));
                                          }
                                      });
        context.threads().parallelFor(toSize(shape.output[1]), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t row = begin; row < end; ++row) {
                rows.run(row, image.data(), to);
            }
        });
    }
    return {};
}

}  // namespace et::kernels::dense
#endif  // HWY_ONCE
