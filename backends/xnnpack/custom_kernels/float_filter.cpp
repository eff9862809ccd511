#include "backends/xnnpack/custom_kernels/float_filter.h"

#include <algorithm>
#include <array>

namespace et::backends::xnnpack {

bool hasFloatFilter(const Payload& payload, const PayloadNode& node) {
    const auto isConstant = [&](ValueIndex value) { return payload.value(value).constant != 0; };
    const std::array values{node.inputs[0], node.inputs[1], node.inputs[2], node.outputs[0]};
    return node.flags == 0 &&
           std::ranges::all_of(values,
                               [&](ValueIndex value) {
                                   return value == noValue || payload.value(value).datatype == Datatype::Fp32;
                               }) &&
           !isConstant(node.inputs[0]) && isConstant(node.inputs[1]) &&
           (node.inputs[2] == noValue || isConstant(node.inputs[2]));
}

const float* constantFloats(const CustomNode::Source& source, ValueIndex value) {
    return value == noValue ? nullptr : static_cast<const float*>(source.constants.data(value));
}

}  // namespace et::backends::xnnpack
