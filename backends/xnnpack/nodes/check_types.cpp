#include "backends/xnnpack/nodes/check_types.h"

#include "backends/xnnpack/nodes/scale_rules.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

namespace et::backends::xnnpack {
namespace {

using core::ErrorCode;
using core::Result;

/// Allowed uses and quantization of a datatype.
struct TypeRole {
    enum class Use : std::uint8_t { Activation, Weight, Dynamic };
    Use use;
    std::size_t quantization;  ///< index of the Quantization alternative
};

TypeRole roleOf(Datatype type) {
    using enum TypeRole::Use;
    switch (type) {
        case Datatype::QInt8:
        case Datatype::QUInt8:
            return {Activation, 1};
        case Datatype::QInt32:
            return {Weight, 1};
        case Datatype::QCInt8:
        case Datatype::QCInt32:
        case Datatype::QCInt4:
            return {Weight, 2};
        case Datatype::QDInt8:
            return {Dynamic, 3};
        case Datatype::QBInt4:
            return {Weight, 4};
        default:
            return {Activation, 0};
    }
}

std::unexpected<core::Error> failAt(std::string_view list, std::size_t index, std::string message) {
    return core::fail(ErrorCode::Format, std::move(message),
                      {.file = {}, .field = fmt::format("{}[{}]", list, index), .offset = {}});
}

bool isGoodScale(float scale) {
    return std::isnormal(scale) && scale > 0;
}

bool isGood(const PerTensorQuantization& quantization, Datatype type) {
    const int low = type == Datatype::QInt8 ? -128 : 0;
    const int high = type == Datatype::QInt8 ? 127 : type == Datatype::QUInt8 ? 255 : 0;
    return isGoodScale(quantization.scale) && quantization.zeroPoint >= low && quantization.zeroPoint <= high;
}

Result<> checkValue(const PayloadValue& value, std::size_t index) {
    if (value.datatype == Datatype::Invalid) {
        return failAt("values", index, "expected a datatype");
    }
    const TypeRole role = roleOf(value.datatype);
    if (value.quantization.index() != role.quantization) {
        return failAt("values", index,
                      fmt::format("a value of {} has the wrong kind of quantization parameters",
                                  datatypeName(value.datatype)));
    }
    const auto* tensor = std::get_if<PerTensorQuantization>(&value.quantization);
    if (tensor != nullptr && !isGood(*tensor, value.datatype)) {
        return failAt("values", index,
                      fmt::format("scale {} and zero point {} do not fit {}", tensor->scale,
                                  tensor->zeroPoint, datatypeName(value.datatype)));
    }
    const bool isExternal = value.externalId.has_value();
    if (role.use == TypeRole::Use::Weight && value.constant == 0) {
        return failAt("values", index,
                      fmt::format("expected a value of {} to be constant", datatypeName(value.datatype)));
    }
    if (role.use == TypeRole::Use::Dynamic && (value.constant != 0 || isExternal)) {
        return failAt("values", index, "expected a dynamically quantized value inside the delegate");
    }
    return {};
}

bool isWeighted(const PayloadNode& node) {
    return node.traits->functions->scaleDims != 0;
}

bool mayRead(const PayloadNode& node, std::size_t input, const PayloadValue& value) {
    const bool weighted = isWeighted(node);
    switch (roleOf(value.datatype).use) {
        case TypeRole::Use::Weight:
            return weighted && input > 0;
        case TypeRole::Use::Dynamic:
            return weighted && input == 0;
        default:
            return true;
    }
}

/// The library stores a scale for each group of elements of a dynamically quantized value, and its products
/// read one scale per row, or per image.
Result<> checkDynamicInput(const Payload& payload, const PayloadNode& node, std::size_t index) {
    const auto* rows = node.inputs.empty()
                           ? nullptr
                           : std::get_if<PerTokenQuantization>(&payload.value(node.inputs[0]).quantization);
    const std::uint32_t expected = node.traits->functions->scaleDims;
    if (rows == nullptr || expected == 0 || rows->nonbatchDims == expected) {
        return {};
    }
    return failAt("nodes", index,
                  fmt::format("{}: expected a scale for {} dimensions of its input, got one for {}",
                              node.traits->name, expected, rows->nonbatchDims));
}

Result<> checkNode(const Payload& payload, const PayloadNode& node, std::size_t index) {
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        if (node.inputs[i] != noValue && !mayRead(node, i, payload.value(node.inputs[i]))) {
            return failAt("nodes", index,
                          fmt::format("input {} of {} cannot be {}", i, node.traits->name,
                                      datatypeName(payload.value(node.inputs[i]).datatype)));
        }
    }
    const bool isWeightedWithBias = isWeighted(node) && node.inputs.size() == 3;
    if (isWeightedWithBias && node.inputs[2] != noValue && payload.value(node.inputs[2]).constant == 0) {
        return failAt("nodes", index, "expected a constant bias");
    }
    for (const ValueIndex output : node.outputs) {
        const PayloadValue& value = payload.value(output);
        if (roleOf(value.datatype).use == TypeRole::Use::Dynamic && node.traits->kind != NodeKind::Convert) {
            return failAt("nodes", index,
                          fmt::format("{} cannot write {}", node.traits->name, datatypeName(value.datatype)));
        }
    }
    ET_TRY(checkDynamicInput(payload, node, index));
    if (const auto check = node.traits->functions->check) {
        ET_TRY(check(payload, index));
    }
    ET_TRY(checkScales(payload, index));
    if (node.range && !(node.range->min <= node.range->max)) {
        return failAt("nodes", index,
                      fmt::format("expected a range, got {} to {}", node.range->min, node.range->max));
    }
    return {};
}

}  // namespace

Result<> checkTypes(const Payload& payload) {
    for (std::size_t i = 0; i < payload.values.size(); ++i) {
        ET_TRY(checkValue(payload.values[i], i));
    }
    for (std::size_t i = 0; i < payload.nodes.size(); ++i) {
        ET_TRY(checkNode(payload, payload.nodes[i], i));
    }
    return {};
}

}  // namespace et::backends::xnnpack
