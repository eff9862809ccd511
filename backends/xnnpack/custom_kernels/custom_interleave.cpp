#include "backends/xnnpack/custom_kernels/custom_interleave.h"

#include "backends/xnnpack/custom_kernels/byte_values.h"
#include "runtime/kernels/quantized/interleave.h"

#include <algorithm>
#include <array>
#include <variant>

namespace et::backends::xnnpack {

bool isInterleave(const Payload& payload, const PayloadNode& node, const Shapes& shapes) {
    constexpr std::size_t leastBytes = std::size_t{1} << 12U;
    constexpr std::array<std::uint32_t, 4> order{0, 2, 3, 1};
    const auto* const fields = std::get_if<TransposeFields>(&node.fields);
    if (node.traits->form() != NodeForm::Transpose || fields == nullptr || node.flags != 0 || node.range ||
        !std::ranges::equal(fields->order, order) || !areBytesOfOneType(payload, node) ||
        payload.value(node.inputs[0]).constant != 0) {
        return false;
    }
    const ValueSizes& sizes = shapes[node.inputs[0]];
    return sizes[1] >= kernels::quantized::minInterleaved && sizes[1] <= kernels::quantized::maxInterleaved &&
           elementsOf(sizes) >= leastBytes;
}

void CustomInterleave::reshape(const Shapes& shapes) {
    const ValueSizes& sizes = shapes[input];
    samples = sizes[0];
    planes = sizes[1];
    count = sizes[2] * sizes[3];
}

void CustomInterleave::run(std::span<void* const> places) {
    const auto* from = static_cast<const std::uint8_t*>(places[input]);
    auto* to = static_cast<std::uint8_t*>(places[output]);
    for (std::size_t sample = 0; sample < samples; ++sample) {
        kernels::quantized::interleave(from, planes, count, to);
        from += planes * count;
        to += planes * count;
    }
}

}  // namespace et::backends::xnnpack
