#include "backends/xnnpack/nodes/argument_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <variant>

namespace et::backends::xnnpack {
namespace {

/// Whether the outputs are elements of the inputs, unchanged.
bool movesElements(NodeForm form) {
    switch (form) {
        case NodeForm::Concatenate:
        case NodeForm::MaxPooling:
        case NodeForm::Copy:
        case NodeForm::Transpose:
        case NodeForm::Reshape:
        case NodeForm::Slice:
        case NodeForm::Pad:
        case NodeForm::Resize:
            return true;
        default:
            return false;
    }
}

std::string difference(const Payload& payload, ValueIndex input, ValueIndex output) {
    const PayloadValue& from = payload.value(input);
    const PayloadValue& to = payload.value(output);
    const auto differs = [&](std::string_view what, const std::string& one, const std::string& other) {
        return fmt::format(
            "{} of value {} ({}) differs from that of its input, value {} ({}): XNNPACK requires "
            "equal ones",
            what, output, one, input, other);
    };
    if (from.datatype != to.datatype) {
        return differs("datatype", datatypeName(to.datatype), datatypeName(from.datatype));
    }
    const auto* const before = std::get_if<PerTensorQuantization>(&from.quantization);
    const auto* const after = std::get_if<PerTensorQuantization>(&to.quantization);
    if (before == nullptr || after == nullptr) {
        return {};
    }
    if (before->scale != after->scale) {
        return differs("scale", fmt::format("{:.6g}", after->scale), fmt::format("{:.6g}", before->scale));
    }
    return before->zeroPoint == after->zeroPoint
               ? std::string()
               : differs("zero point", fmt::to_string(after->zeroPoint), fmt::to_string(before->zeroPoint));
}

/// The number that the library stores for `number`.
double quantized(float number, const PerTensorQuantization& output, Datatype type) {
    const double low = type == Datatype::QInt8 ? -128 : 0;
    const double high = type == Datatype::QInt8 ? 127 : 255;
    return std::clamp(std::nearbyint(double{number} / output.scale) + output.zeroPoint, low, high);
}

std::string emptyRange(const Payload& payload, const PayloadNode& node) {
    if (!node.range) {
        return {};
    }
    const auto [min, max] = *node.range;
    if (!(min < max)) {
        return fmt::format("range [{}, {}]: XNNPACK requires a minimum below the maximum", min, max);
    }
    const PayloadValue& output = payload.value(node.outputs[0]);
    const auto* const steps = std::get_if<PerTensorQuantization>(&output.quantization);
    const bool isEmpty = steps != nullptr &&
                         quantized(min, *steps, output.datatype) >= quantized(max, *steps, output.datatype);
    return isEmpty
               ? fmt::format(
                     "range [{}, {}] is a single number in {} with scale {:.6g} and zero point {} "
                     "(value {}): XNNPACK requires a minimum below the maximum",
                     min, max, datatypeName(output.datatype), steps->scale, steps->zeroPoint, node.outputs[0])
               : std::string();
}

}  // namespace

std::string violatedRule(const Payload& payload, std::size_t index) {
    const PayloadNode& node = payload.nodes[index];
    if (movesElements(node.traits->form())) {
        for (const ValueIndex input : node.inputs) {
            if (input == noValue) {
                continue;
            }
            if (std::string found = difference(payload, input, node.outputs[0]); !found.empty()) {
                return found;
            }
        }
    }
    return emptyRange(payload, node);
}

std::string violatedRule(const Payload& payload) {
    for (std::size_t i = 0; i < payload.nodes.size(); ++i) {
        if (const std::string found = violatedRule(payload, i); !found.empty()) {
            return fmt::format("nodes[{}] ({}): {}", i, payload.nodes[i].traits->name, found);
        }
    }
    return {};
}

}  // namespace et::backends::xnnpack
