#include "backends/xnnpack/delegate/tap_graph.h"

#include "backends/xnnpack/format/cut_payload.h"

#include <algorithm>
#include <string_view>

namespace et::backends::xnnpack {
namespace {

/// A value quantized at run time is delivered as dequantized numbers.
bool canBeTapped(Datatype type) {
    return isHeldByTensors(type) || type == Datatype::QDInt8;
}

/// Strips the number: "Convolution (NHWC, F32) IGEMM" for "Convolution (NHWC, F32) IGEMM #1".
std::string_view withoutNumber(std::string_view name) {
    return name.substr(0, name.rfind(" #"));
}

bool isRead(const PayloadNode& node, ValueIndex value) {
    return std::ranges::contains(node.inputs, value);
}

}  // namespace

std::vector<Tap> tappableValues(const Payload& payload) {
    std::vector<Tap> taps;
    for (std::size_t node = 0; node < payload.nodes.size(); ++node) {
        for (const ValueIndex output : payload.nodes[node].outputs) {
            if (canBeTapped(payload.value(output).datatype)) {
                taps.push_back({.value = output, .node = node, .external = 0});
            }
        }
    }
    return taps;
}

Payload promote(const Payload& payload, std::span<Tap> taps) {
    Payload promoted = payload;
    for (Tap& tap : taps) {
        const auto known = std::ranges::find(promoted.externals, tap.value);
        tap.external = static_cast<std::size_t>(known - promoted.externals.begin());
        if (known == promoted.externals.end()) {
            promoted.externals.push_back(tap.value);
            promoted.values[tap.value].isOutput = true;
        }
    }
    return promoted;
}

const ProfiledOperator* operatorOf(const Payload& payload, std::span<const ProfiledOperator> operators,
                                   const Tap& tap) {
    const auto has = [&](const ProfiledOperator& each) {
        return each.nodes && std::ranges::contains(*each.nodes, tap.node);
    };
    const auto found = std::ranges::find_if(operators, has);
    if (found == operators.end()) {
        return nullptr;
    }
    // A value read by another node of the same operator stays inside the operator.
    const bool goesOn = std::ranges::any_of(
        *found->nodes, [&](std::size_t node) { return isRead(payload.nodes[node], tap.value); });
    return goesOn ? nullptr : &*found;
}

std::vector<std::string> changedOperators(std::span<const ProfiledOperator> before,
                                          std::span<const ProfiledOperator> after) {
    std::vector<std::string> changed;
    std::size_t next = 0;
    for (const ProfiledOperator& each : before) {
        // Both are in node order.
        std::size_t i = next;
        while (i < after.size() &&
               (after[i].nodes != each.nodes || withoutNumber(after[i].name) != withoutNumber(each.name))) {
            ++i;
        }
        if (i == after.size()) {
            changed.push_back(each.name);
        } else {
            next = i + 1;
        }
    }
    return changed;
}

}  // namespace et::backends::xnnpack
