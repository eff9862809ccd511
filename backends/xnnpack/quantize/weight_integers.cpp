#include "backends/xnnpack/quantize/weight_integers.h"

#include "backends/xnnpack/quantize/model_draft.h"
#include "backends/xnnpack/quantize/quantization_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace et::backends::xnnpack {
namespace {

/// Maps an element to its index along an axis of a row-major tensor.
struct AxisWalk {
    std::size_t inner = 1;
    std::size_t count = 1;
    AxisWalk(const core::Tensor& tensor, std::size_t axis)
        : count(static_cast<std::size_t>(tensor.size(axis))) {
        for (std::size_t i = axis + 1; i < tensor.dim(); ++i) {
            inner *= static_cast<std::size_t>(tensor.size(i));
        }
    }
    [[nodiscard]] std::size_t operator[](std::size_t element) const { return element / inner % count; }
};

std::span<const float> numbersIn(const core::Tensor& tensor) {
    return {tensor.data<float>(), static_cast<std::size_t>(tensor.numel())};
}

}  // namespace

ChannelScales channelScales(const core::Tensor& weight, std::size_t axis) {
    const AxisWalk channelOf(weight, axis);
    std::vector<ValueRange> ranges(channelOf.count);
    const auto numbers = numbersIn(weight);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        ValueRange& range = ranges[channelOf[i]];
        range.low = std::min(range.low, numbers[i]);
        range.high = std::max(range.high, numbers[i]);
    }
    ChannelScales scales;
    for (const ValueRange& range : ranges) {
        scales.push_back(symmetricNumbers(range, weightIntegers).scale);
    }
    return scales;
}

std::vector<std::int8_t> quantizedChannels(const core::Tensor& weight, std::size_t axis,
                                           std::span<const float> scales) {
    const AxisWalk channelOf(weight, axis);
    const auto numbers = numbersIn(weight);
    std::vector<std::int8_t> integers;
    integers.reserve(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        integers.push_back(static_cast<std::int8_t>(
            quantized(numbers[i], {.scale = scales[channelOf[i]], .zeroPoint = 0}, weightIntegers)));
    }
    return integers;
}

reference::ReferenceTensor roundedChannels(const core::Tensor& weight, std::optional<std::size_t> axis,
                                           int bits) {
    const std::int32_t last = integersOf(bits).high;
    const IntegerRange integers{-last, last};
    const auto numbers = numbersIn(weight);
    const std::optional<AxisWalk> channelOf = axis ? std::optional(AxisWalk(weight, *axis)) : std::nullopt;
    std::vector<float> furthest(channelOf ? channelOf->count : 1);
    const auto placeOf = [&](std::size_t i) { return channelOf ? (*channelOf)[i] : 0; };
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        float& channel = furthest[placeOf(i)];
        channel = std::max(channel, std::abs(numbers[i]));
    }
    std::vector<float> rounded(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const float end = furthest[placeOf(i)];
        const QuantizationNumbers scale = symmetricNumbers({-end, end}, integers);
        rounded[i] = scale.scale * static_cast<float>(quantized(numbers[i], scale, integers));
    }
    const std::vector<std::int64_t> sizes(weight.sizes().begin(), weight.sizes().end());
    return tensorOf(core::ScalarType::Float, sizes, std::as_bytes(std::span(rounded)));
}

BlockWeights quantizedBlocks(const core::Tensor& matrix, std::int64_t block) {
    constexpr IntegerRange fourBits{-8, 7};
    const auto numbers = numbersIn(matrix);
    const auto width = static_cast<std::size_t>(block);
    BlockWeights made;
    for (std::size_t start = 0; start < numbers.size(); start += width) {
        float furthest = 0;
        for (const float number : numbers.subspan(start, width)) {
            furthest = std::max(furthest, std::abs(number));
        }
        const float half = static_cast<float>(fourBits.high - fourBits.low) / 2;
        const float scale = std::max(furthest / half, std::numeric_limits<float>::epsilon());
        made.scales.push_back(scale);
        for (const float number : numbers.subspan(start, width)) {
            made.integers.push_back(
                static_cast<std::int8_t>(quantized(number, {.scale = scale, .zeroPoint = 0}, fourBits)));
        }
    }
    return made;
}

}  // namespace et::backends::xnnpack
