#include "backends/xnnpack/custom_kernels/custom_byte_arithmetic.h"

#include "backends/xnnpack/custom_kernels/byte_rows.h"
#include "backends/xnnpack/custom_kernels/byte_values.h"
#include "backends/xnnpack/nodes/byte_nodes.h"
#include "runtime/kernels/quantized/byte_arithmetic.h"

#include <array>
#include <cmath>
#include <cstdint>

namespace et::backends::xnnpack {

namespace quantized = kernels::quantized;

namespace {

/// Fraction bits of the fixed point after the first bit of the larger ratio.
constexpr int fractionBits = 20;

/// `compute`: quantized::multiplyBytes or quantized::addBytes.
template <class Operation, auto compute>
class CustomBytePair final : public CustomNode {
  public:
    CustomBytePair(const Source& source, const PayloadNode& node, const Operation& withParameters)
        : threads(source.threads),
          inputs{node.inputs[0], node.inputs[1]},
          constants{constantBytes(source, inputs[0]), constantBytes(source, inputs[1])},
          output(node.outputs[0]),
          flip(flipOf(source.payload, output)),
          operation(withParameters) {}

    [[nodiscard]] std::string name() const override { return "Binary Elementwise (ND)"; }

    void reshape(const Shapes& shapes) override {
        rows.reshape(shapes[inputs[0]], shapes[inputs[1]], shapes[output]);
    }

    void run(std::span<void* const> places) override {
        rows.run(threads, bytesAt(places, inputs[0], constants[0]), bytesAt(places, inputs[1], constants[1]),
                 static_cast<std::uint8_t*>(places[output]),
                 [this](const std::uint8_t* left, const std::uint8_t* right, std::size_t count,
                        std::uint8_t* to) { compute(operation, flip, left, right, count, to); });
    }

  private:
    const kernels::ThreadPool& threads;
    std::array<ValueIndex, 2> inputs;
    std::array<const void*, 2> constants;
    ValueIndex output;
    std::uint8_t flip;  ///< of the zero points, see byte_arithmetic.h
    Operation operation;
    ByteRows rows;
};

}  // namespace

bool isByteMultiply(const Payload& payload, const PayloadNode& node) {
    if (node.traits->kind != NodeKind::Multiply || node.flags != 0 || !areBytesOfOneType(payload, node) ||
        !hasExactRange(node)) {
        return false;
    }
    const float scale = byteParameters(payload, node.inputs[0]).scale *
                        byteParameters(payload, node.inputs[1]).scale /
                        byteParameters(payload, node.outputs[0]).scale;
    return scale < quantized::maxByteScale;
}

std::unique_ptr<CustomNode> makeByteMultiply(const CustomNode::Source& source, const PayloadNode& node) {
    const PerTensorQuantization& left = byteParameters(source.payload, node.inputs[0]);
    const PerTensorQuantization& right = byteParameters(source.payload, node.inputs[1]);
    const std::uint8_t flip = flipOf(source.payload, node.outputs[0]);
    return std::make_unique<CustomBytePair<quantized::ByteProduct, quantized::multiplyBytes>>(
        source, node,
        quantized::ByteProduct{
            .leftZero = left.zeroPoint + flip,
            .rightZero = right.zeroPoint + flip,
            .scale = left.scale * right.scale / byteParameters(source.payload, node.outputs[0]).scale,
            .output = byteOutput(source.payload, node)});
}

bool isByteSum(const Payload& payload, const PayloadNode& node) {
    return isSumOfSimilarScales(payload, node) && node.flags == 0 && hasExactRange(node);
}

std::unique_ptr<CustomNode> makeByteSum(const CustomNode::Source& source, const PayloadNode& node) {
    const float to = byteParameters(source.payload, node.outputs[0]).scale;
    const std::uint8_t flip = flipOf(source.payload, node.outputs[0]);
    const int shift = fractionBits - std::ilogb(sumRatios(source.payload, node).larger);
    const bool isSum = node.traits->kind == NodeKind::Add;
    std::array<std::int32_t, 2> multipliers{};
    std::int64_t bias = std::int64_t{1} << (shift - 1);
    for (std::size_t i = 0; i < multipliers.size(); ++i) {
        const PerTensorQuantization& from = byteParameters(source.payload, node.inputs[i]);
        const auto multiplier = static_cast<std::int32_t>(std::lrint(std::ldexp(from.scale / to, shift)));
        multipliers[i] = i == 1 && !isSum ? -multiplier : multiplier;
        bias -= std::int64_t{multipliers[i]} * (from.zeroPoint + flip);
    }
    return std::make_unique<CustomBytePair<quantized::ByteSum, quantized::addBytes>>(
        source, node,
        quantized::ByteSum{.leftMultiplier = multipliers[0],
                           .rightMultiplier = multipliers[1],
                           .bias = static_cast<std::int32_t>(static_cast<std::uint32_t>(bias)),
                           .shift = shift,
                           .output = byteOutput(source.payload, node)});
}

}  // namespace et::backends::xnnpack
