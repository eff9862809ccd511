#include "backends/xnnpack/nodes/byte_nodes.h"

#include "backends/xnnpack/nodes/scale_rules.h"

#include <algorithm>
#include <variant>

namespace et::backends::xnnpack {
namespace {

bool isSumOfBytes(const Payload& payload, const PayloadNode& node) {
    const bool isSum = node.traits->kind == NodeKind::Add || node.traits->kind == NodeKind::Subtract;
    return isSum && areBytesOfOneType(payload, node);
}

bool isInSumRange(float ratio) {
    return ratio >= sumScales.min && ratio < sumScales.max;
}

}  // namespace

bool isByteTensor(const PayloadValue& value) {
    return (value.datatype == Datatype::QInt8 || value.datatype == Datatype::QUInt8) &&
           std::holds_alternative<PerTensorQuantization>(value.quantization);
}

bool areBytesOfOneType(const Payload& payload, const PayloadNode& node) {
    if (node.outputs.size() != 1 || node.inputs.empty()) {
        return false;
    }
    const PayloadValue& output = payload.value(node.outputs[0]);
    return isByteTensor(output) && std::ranges::all_of(node.inputs, [&](ValueIndex input) {
               return input != noValue && isByteTensor(payload.value(input)) &&
                      payload.value(input).datatype == output.datatype;
           });
}

const PerTensorQuantization& byteParameters(const Payload& payload, ValueIndex value) {
    return *std::get_if<PerTensorQuantization>(&payload.value(value).quantization);
}

SumRatios sumRatios(const Payload& payload, const PayloadNode& node) {
    const float left = byteParameters(payload, node.inputs[0]).scale;
    const float right = byteParameters(payload, node.inputs[1]).scale;
    const float to = byteParameters(payload, node.outputs[0]).scale;
    return {.smaller = std::min(left, right) / to, .larger = std::max(left, right) / to};
}

bool isSumOfSimilarScales(const Payload& payload, const PayloadNode& node) {
    if (!isSumOfBytes(payload, node)) {
        return false;
    }
    const auto [smaller, larger] = sumRatios(payload, node);
    return isInSumRange(smaller) && isInSumRange(larger);
}

bool isSumOfDistantScales(const Payload& payload, const PayloadNode& node) {
    if (!isSumOfBytes(payload, node)) {
        return false;
    }
    const auto [smaller, larger] = sumRatios(payload, node);
    return smaller < sumScales.min && isInSumRange(larger);
}

}  // namespace et::backends::xnnpack
