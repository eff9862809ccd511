#include "runtime/kernels/dense/convolution_rows.h"

#include "runtime/kernels/dense/elements.h"
#include "runtime/kernels/dense/matrix_product.h"
#include "runtime/kernels/dense/phases.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace et::kernels::dense {
namespace {

/// Computes the offset of each tap in each input channel: sums are in XNNPACK's order, tap by tap.
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
    const auto plane = toSize(shape.outputPlane());
    const auto columns = toSize(shape.output[2]);
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
                multiplyTile(TileProduct<float>{.rows = toSize(filter.outputChannels),
                                                .depth = offsets.size(),
                                                .columns = columns,
                                                .left = packedWeight,
                                                .right = image.data() + row * toSize(phases.pitch),
                                                .rightPlaces = offsets.data(),
                                                .bias = bias,
                                                .result = to + row * columns,
                                                .resultStride = plane,
                                                .steps = steps});
            }
        });
    }
    return {};
}

}  // namespace et::kernels::dense
