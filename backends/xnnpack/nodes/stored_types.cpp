#include "backends/xnnpack/nodes/stored_types.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace et::backends::xnnpack {
namespace {

bool isBFloat16(float number) {
    return (std::bit_cast<std::uint32_t>(number) & 0xFFFFU) == 0;
}

/// Whether every result of a node is one of its bfloat16 inputs, or exact in bfloat16.
bool isExactInBFloat16(const Payload& payload, const PayloadNode& node) {
    const bool fromBFloat16 = std::ranges::all_of(node.inputs, [&](ValueIndex input) {
        return input == noValue || payload.value(input).datatype == Datatype::BFloat16;
    });
    if (!fromBFloat16 || (node.range && !(isBFloat16(node.range->min) && isBFloat16(node.range->max)))) {
        return false;
    }
    switch (node.traits->kind) {
        case NodeKind::Abs:
        case NodeKind::Ceiling:
        case NodeKind::Clamp:
        case NodeKind::Concatenate2:
        case NodeKind::Concatenate3:
        case NodeKind::Concatenate4:
        case NodeKind::Concatenate5:
        case NodeKind::Convert:
        case NodeKind::Copy:
        case NodeKind::Floor:
        case NodeKind::Maximum:
        case NodeKind::MaxPooling:
        case NodeKind::Minimum:
        case NodeKind::Negate:
        case NodeKind::Reshape:
        case NodeKind::Slice:
        case NodeKind::Transpose:
            return true;
        case NodeKind::Pad:
            return isBFloat16(std::get<PadFields>(node.fields).value);
        default:
            return false;
    }
}

}  // namespace

bool hasHalf(const Payload& payload) {
    return std::ranges::contains(payload.values, Datatype::Fp16, &PayloadValue::datatype);
}

Datatype computedAs(Datatype type, bool widenHalf) {
    return type == Datatype::BFloat16 || (type == Datatype::Fp16 && widenHalf) ? Datatype::Fp32 : type;
}

Datatype storedAs(Datatype type, bool widenHalf) {
    return type == Datatype::QDInt8 ? Datatype::Fp32 : computedAs(type, widenHalf);
}

std::size_t storedBytes(const Payload& payload, ValueIndex value, const ValueSizes& sizes, bool widenHalf) {
    std::size_t bytes = datatypeInfo(storedAs(payload.value(value).datatype, widenHalf))->bits / 8U;
    for (const std::size_t size : sizes) {
        bytes *= size;
    }
    return bytes;
}

std::vector<bool> roundedValues(const Payload& payload) {
    std::vector<std::size_t> reads(payload.values.size());
    for (const PayloadNode& node : payload.nodes) {
        for (const ValueIndex input : node.inputs) {
            reads[input == noValue ? 0 : input] += input == noValue ? 0 : 1;
        }
    }
    std::vector<bool> rounded(payload.values.size());
    for (const PayloadNode& node : payload.nodes) {
        const ValueIndex input = node.inputs[0];
        const bool isExact = isExactInBFloat16(payload, node);
        const bool isClampOfRounded = isExact && node.traits->kind == NodeKind::Clamp && input != noValue &&
                                      rounded[input] && reads[input] == 1 && !payload.value(input).isOutput;
        if (isClampOfRounded) {
            rounded[input] = false;
        }
        for (const ValueIndex output : node.outputs) {
            rounded[output] =
                payload.value(output).datatype == Datatype::BFloat16 && (!isExact || isClampOfRounded);
        }
    }
    return rounded;
}

}  // namespace et::backends::xnnpack
