#include "backends/xnnpack/quantize/block_weights.h"

#include "backends/xnnpack/quantize/quantization_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace et::backends::xnnpack {

BlockWeights quantizedBlocks(const core::Tensor& matrix, std::int64_t block) {
    constexpr IntegerRange fourBits{-8, 7};
    const std::span numbers(matrix.data<float>(), static_cast<std::size_t>(matrix.numel()));
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
