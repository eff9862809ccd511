#include "backends/xnnpack/custom_kernels/custom_sum.h"

#include "backends/xnnpack/custom_kernels/byte_values.h"
#include "backends/xnnpack/nodes/byte_nodes.h"

#include <array>
#include <cmath>

namespace et::backends::xnnpack {

namespace quantized = kernels::quantized;

namespace {

/// Fraction bits of the fixed point after the first bit of the larger ratio.
constexpr int fractionBits = 20;

}  // namespace

bool isByteSum(const Payload& payload, const PayloadNode& node) {
    return isSumOfSimilarScales(payload, node) && node.flags == 0 && hasExactRange(node);
}

CustomSum::CustomSum(const Source& source, const PayloadNode& node) : CustomBytePair(source, node) {
    const float to = byteParameters(source.payload, node.outputs[0]).scale;
    const int shift = fractionBits - std::ilogb(sumRatios(source.payload, node).larger);
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
