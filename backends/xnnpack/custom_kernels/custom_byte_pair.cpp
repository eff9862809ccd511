#include "backends/xnnpack/custom_kernels/custom_byte_pair.h"

#include "backends/xnnpack/custom_kernels/byte_values.h"

namespace et::backends::xnnpack {

CustomBytePair::CustomBytePair(const Source& source, const PayloadNode& node)
    : threads(source.threads),
      inputs{node.inputs[0], node.inputs[1]},
      constants{constantBytes(source, inputs[0]), constantBytes(source, inputs[1])},
      output(node.outputs[0]),
      flip(flipOf(source.payload, output)) {
}

std::string CustomBytePair::name() const {
    return "Binary Elementwise (ND)";
}

void CustomBytePair::reshape(const Shapes& shapes) {
    rows.reshape(shapes[inputs[0]], shapes[inputs[1]], shapes[output]);
}

void CustomBytePair::run(std::span<void* const> places) {
    rows.run(threads, bytesAt(places, inputs[0], constants[0]), bytesAt(places, inputs[1], constants[1]),
             static_cast<std::uint8_t*>(places[output]),
             [this](const std::uint8_t* left, const std::uint8_t* right, std::size_t count,
                    std::uint8_t* to) { compute(flip, left, right, count, to); });
}

}  // namespace et::backends::xnnpack
