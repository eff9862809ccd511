#include "backends/xnnpack/own/own_multiply.h"

#include "backends/xnnpack/own/byte_values.h"

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

OwnMultiply::OwnMultiply(const Source& source, const PayloadNode& node)
    : threads(source.threads),
      inputs{node.inputs[0], node.inputs[1]},
      output(node.outputs[0]),
      flip(flipOf(source.payload, output)) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        constants[i] = constantBytes(source, inputs[i]);
    }
    const PerTensorQuantization& left = byteParameters(source.payload, inputs[0]);
    const PerTensorQuantization& right = byteParameters(source.payload, inputs[1]);
    product = {.leftZero = left.zeroPoint + flip,
               .rightZero = right.zeroPoint + flip,
               .scale = left.scale * right.scale / byteParameters(source.payload, output).scale,
               .output = byteOutput(source.payload, node)};
}

std::string OwnMultiply::name() const {
    return "Binary Elementwise (ND)";
}

void OwnMultiply::reshape(const Shapes& shapes) {
    rows.reshape(shapes[inputs[0]], shapes[inputs[1]], shapes[output]);
}

void OwnMultiply::run(std::span<void* const> places) {
    rows.run(threads, bytesAt(places, inputs[0], constants[0]), bytesAt(places, inputs[1], constants[1]),
             static_cast<std::uint8_t*>(places[output]),
             [this](const std::uint8_t* left, const std::uint8_t* right, std::size_t count,
                    std::uint8_t* to) { quantized::multiplyBytes(product, flip, left, right, count, to); });
}

}  // namespace et::backends::xnnpack
