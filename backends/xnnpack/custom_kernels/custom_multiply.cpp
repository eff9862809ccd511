#include "backends/xnnpack/custom_kernels/custom_multiply.h"

#include "backends/xnnpack/custom_kernels/byte_values.h"

namespace et::backends::xnnpack {

namespace quantized = kernels::quantized;

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

CustomMultiply::CustomMultiply(const Source& source, const PayloadNode& node) : CustomBytePair(source, node) {
    const PerTensorQuantization& left = byteParameters(source.payload, node.inputs[0]);
    const PerTensorQuantization& right = byteParameters(source.payload, node.inputs[1]);
    product = {.leftZero = left.zeroPoint + flipped(),
               .rightZero = right.zeroPoint + flipped(),
               .scale = left.scale * right.scale / byteParameters(source.payload, node.outputs[0]).scale,
               .output = byteOutput(source.payload, node)};
}

void CustomMultiply::compute(std::uint8_t flips, const std::uint8_t* left, const std::uint8_t* right,
                             std::size_t count, std::uint8_t* to) const {
    quantized::multiplyBytes(product, flips, left, right, count, to);
}

}  // namespace et::backends::xnnpack
