#include "backends/xnnpack/lower/clamps.h"

#include "backends/lowering/node_arguments.h"

namespace et::backends::xnnpack {

using etrecord::Node;

bool fusesClamp(NodeKind kind) {
    switch (kind) {
        case NodeKind::Add:
        case NodeKind::Subtract:
        case NodeKind::Multiply:
        case NodeKind::Divide:
        case NodeKind::FullyConnected:
        case NodeKind::Convolution:
        case NodeKind::DepthwiseConvolution:
        case NodeKind::TransposedConvolution:
            return true;
        default:
            return false;
    }
}

std::optional<OutputRange> clampRange(const Node& node) {
    if (node.op == "aten.relu.default") {
        return OutputRange{.min = 0};
    }
    const bool hardtanh = node.op == "aten.hardtanh.default";
    if (!hardtanh && node.op != "aten.clamp.default") {
        return std::nullopt;
    }
    const auto min = lowering::numberArgument(node, hardtanh ? "min_val" : "min");
    const auto max = lowering::numberArgument(node, hardtanh ? "max_val" : "max");
    OutputRange range;
    if (min || hardtanh) {
        range.min = static_cast<float>(min.value_or(-1));
    }
    if (max || hardtanh) {
        range.max = static_cast<float>(max.value_or(1));
    }
    return range;
}

}  // namespace et::backends::xnnpack
