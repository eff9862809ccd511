#include "backends/xnnpack/quantize/quantization_numbers.h"

#include <algorithm>
#include <cmath>

namespace et::backends::xnnpack {

QuantizationNumbers affineNumbers(ValueRange range, IntegerRange integers) {
    const float low = std::min(range.low, 0.0F);
    const float high = std::max(range.high, 0.0F);
    const float scale =
        std::max((high - low) / static_cast<float>(integers.high - integers.low), smallestScale);
    // Floats represent these integers exactly, so this equals the integer sum.
    const float zeroPoint = static_cast<float>(integers.low) - std::nearbyint(low / scale);
    return {scale,
            static_cast<std::int32_t>(
                std::clamp(zeroPoint, static_cast<float>(integers.low), static_cast<float>(integers.high))),
            integers};
}

QuantizationNumbers symmetricNumbers(ValueRange range, IntegerRange integers) {
    const float furthest = std::max({-range.low, range.high, 0.0F});
    return {std::max(furthest / (static_cast<float>(integers.high - integers.low) / 2), smallestScale), 0,
            integers};
}

ValueRange rangeOf(QuantizationNumbers numbers, IntegerRange integers) {
    const auto numberOf = [&](std::int32_t integer) {
        return numbers.scale * static_cast<float>(integer - numbers.zeroPoint);
    };
    return {numberOf(integers.low), numberOf(integers.high)};
}

std::int32_t quantized(float number, QuantizationNumbers numbers, IntegerRange integers) {
    const float steps =
        std::nearbyint(number * (1.0F / numbers.scale)) + static_cast<float>(numbers.zeroPoint);
    if (std::isnan(steps)) {
        return numbers.zeroPoint;
    }
    return static_cast<std::int32_t>(
        std::clamp(steps, static_cast<float>(integers.low), static_cast<float>(integers.high)));
}

}  // namespace et::backends::xnnpack
