#include "backends/xnnpack/own/joined_clamps.h"

#include <algorithm>
#include <limits>
#include <variant>
#include <vector>

namespace et::backends::xnnpack {
namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

bool isConvolution(const PayloadNode& node) {
    return std::holds_alternative<ConvolutionFields>(node.fields);
}

bool isAlike(const PayloadValue& left, const PayloadValue& right) {
    const auto* const from = std::get_if<PerTensorQuantization>(&left.quantization);
    const auto* const to = std::get_if<PerTensorQuantization>(&right.quantization);
    return left.datatype == right.datatype && (from == nullptr) == (to == nullptr) &&
           (from == nullptr || (from->scale == to->scale && from->zeroPoint == to->zeroPoint));
}

OutputRange both(const PayloadNode& node, const PayloadNode& clamp) {
    const OutputRange own = node.range.value_or(OutputRange{});
    const OutputRange behind = clamp.range.value_or(OutputRange{});
    return {.min = std::max(own.min, behind.min), .max = std::min(own.max, behind.max)};
}

/// By value: the only node that reads it; none, where it is none or several.
std::vector<std::size_t> onlyReaders(const Payload& payload) {
    std::vector<std::size_t> readers(payload.values.size(), none);
    std::vector<std::size_t> counts(payload.values.size());
    for (std::size_t i = 0; i < payload.nodes.size(); ++i) {
        for (const ValueIndex input : payload.nodes[i].inputs) {
            if (input != noValue) {
                readers[input] = ++counts[input] == 1 ? i : none;
            }
        }
    }
    return readers;
}

}  // namespace

JoinedClamps JoinedClamps::find(const Payload& payload, std::span<const NodePath> paths) {
    JoinedClamps made;
    const std::vector<std::size_t> readers = onlyReaders(payload);
    for (std::size_t i = 0; i < payload.nodes.size(); ++i) {
        const PayloadNode& node = payload.nodes[i];
        if (paths[i] != NodePath::OwnFaster || !isConvolution(node)) {
            continue;
        }
        const ValueIndex value = node.outputs[0];
        const std::size_t reader = readers[value];
        if (payload.value(value).isOutput || reader == none || paths[reader] != NodePath::Library) {
            continue;
        }
        const PayloadNode& clamp = payload.nodes[reader];
        const OutputRange range = both(node, clamp);
        if (clamp.traits->kind == NodeKind::Clamp && clamp.flags == 0 && range.min < range.max &&
            isAlike(payload.value(value), payload.value(clamp.outputs[0]))) {
            made.clamps.emplace(i, reader);
            made.hosts.emplace(reader, i);
        }
    }
    return made;
}

std::optional<std::size_t> JoinedClamps::of(std::size_t node) const {
    const auto found = clamps.find(node);
    return found == clamps.end() ? std::nullopt : std::optional(found->second);
}

PayloadNode JoinedClamps::joined(const Payload& payload, std::size_t node) const {
    PayloadNode made = payload.nodes[node];
    const PayloadNode& clamp = payload.nodes[clamps.at(node)];
    made.range = both(made, clamp);
    made.outputs = clamp.outputs;
    return made;
}

}  // namespace et::backends::xnnpack
