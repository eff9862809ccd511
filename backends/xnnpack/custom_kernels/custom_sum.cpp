#include "backends/xnnpack/custom_kernels/custom_sum.h"

#include "backends/xnnpack/custom_kernels/byte_values.h"
#include "backends/xnnpack/nodes/scale_rules.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace et::backends::xnnpack {

namespace quantized = kernels::quantized;

namespace {

/// Fraction bits of the fixed point after the first bit of the larger ratio.
constexpr int fractionBits = 20;

struct Ratios {
    float smaller;
    float larger;
};

/// Ratios of the inputs' scales to the output's scale.
Ratios ratiosOf(const Payload& payload, const PayloadNode& node) {
    const float left = byteParameters(payload, node.inputs[0]).scale;
    const float right = byteParameters(payload, node.inputs[1]).scale;
    const float to = byteParameters(payload, node.outputs[0]).scale;
    return {.smaller = std::min(left, right) / to, .larger = std::max(left, right) / to};
}

bool isSumOfBytes(const Payload& payload, const PayloadNode& node) {
    const bool isSum = node.traits->kind == NodeKind::Add || node.traits->kind == NodeKind::Subtract;
    return isSum && areBytesOfOneType(payload, node);
}

bool isInRange(float ratio) {
    return ratio >= sumScales.min && ratio < sumScales.max;
}

}  // namespace

bool isSumOfDistantScales(const Payload& payload, const PayloadNode& node) {
    if (!isSumOfBytes(payload, node)) {
        return false;
    }
    const auto [smaller, larger] = ratiosOf(payload, node);
    return smaller < sumScales.min && isInRange(larger);
}

bool isByteSum(const Payload& payload, const PayloadNode& node) {
    if (!isSumOfBytes(payload, node) || node.flags != 0 || !hasExactRange(node)) {
        return false;
    }
    const auto [smaller, larger] = ratiosOf(payload, node);
    return isInRange(smaller) && isInRange(larger);
}

CustomSum::CustomSum(const Source& source, const PayloadNode& node) : CustomBytePair(source, node) {
    const float to = byteParameters(source.payload, node.outputs[0]).scale;
    const int shift = fractionBits - std::ilogb(ratiosOf(source.payload, node).larger);
    const bool isSum = node.traits->kind == NodeKind::Add;
    std::array<std::int32_t, 2> multipliers{};
    std::int64_t bias = std::int64_t{1} << (shift - 1);
    for (std::size_t i = 0; i < multipliers.size(); ++i) {
        const PerTensorQuantization& from = byteParameters(source.payload, node.inputs[i]);
        const auto multiplier = static_cast<std::int32_t>(std::lrint(std::ldexp(from.scale / to, shift)));
        multipliers[i] = i == 1 && !isSum ? -multiplier : multiplier;
        bias -= std::int64_t{multipliers[i]} * (from.zeroPoint + flipped());
    }
    sum = {.leftMultiplier = multipliers[0],
           .rightMultiplier = multipliers[1],
           .bias = static_cast<std::int32_t>(static_cast<std::uint32_t>(bias)),
           .shift = shift,
           .output = byteOutput(source.payload, node)};
}

void CustomSum::compute(std::uint8_t flips, const std::uint8_t* left, const std::uint8_t* right,
                        std::size_t count, std::uint8_t* to) const {
    quantized::addBytes(sum, flips, left, right, count, to);
}

}  // namespace et::backends::xnnpack
