#include "backends/xnnpack/custom_kernels/byte_values.h"

#include <algorithm>
#include <cmath>

namespace et::backends::xnnpack {

bool hasExactRange(const PayloadNode& node) {
    constexpr OutputRange all;
    const OutputRange range = node.range.value_or(all);
    return range.max == all.max && (range.min == all.min || range.min == 0);
}

std::uint8_t flipOf(const Payload& payload, ValueIndex value) {
    return payload.value(value).datatype == Datatype::QInt8 ? 0x80 : 0;
}

kernels::quantized::ByteOutput byteOutput(const Payload& payload, const PayloadNode& node) {
    const PerTensorQuantization& to = byteParameters(payload, node.outputs[0]);
    const std::int32_t zeroPoint = to.zeroPoint + flipOf(payload, node.outputs[0]);
    const OutputRange range = node.range.value_or(OutputRange{});
    const auto stepsOf = [&](float bound) {
        const float steps = std::nearbyint(bound / to.scale) + static_cast<float>(zeroPoint);
        return static_cast<std::uint8_t>(std::clamp(steps, 0.0F, 255.0F));
    };
    return {.zeroPoint = zeroPoint, .low = stepsOf(range.min), .high = stepsOf(range.max)};
}

const void* constantBytes(const CustomNode::Source& source, ValueIndex value) {
    return source.payload.value(value).constant != 0 ? source.constants.data(value) : nullptr;
}

}  // namespace et::backends::xnnpack
