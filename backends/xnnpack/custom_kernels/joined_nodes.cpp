#include "backends/xnnpack/custom_kernels/joined_nodes.h"

#include "backends/xnnpack/custom_kernels/byte_values.h"
#include "runtime/kernels/quantized/byte_arithmetic.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

namespace et::backends::xnnpack {
namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
/// Fewer elements are not worth splitting the library's graph.
constexpr std::size_t leastElements = 16384;

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

/// By value: its only reader; none if it has no reader or several, or is an output.
std::vector<std::size_t> onlyReaders(const Payload& payload) {
    std::vector<std::size_t> readers(payload.values.size(), none);
    std::vector<std::size_t> counts(payload.values.size());
    for (std::size_t i = 0; i < payload.nodes.size(); ++i) {
        for (const ValueIndex input : payload.nodes[i].inputs) {
            if (input != noValue) {
                readers[input] = ++counts[input] == 1 && !payload.value(input).isOutput ? i : none;
            }
        }
    }
    return readers;
}

bool isJoinableClamp(const Payload& payload, const PayloadNode& node, const PayloadNode& clamp) {
    const OutputRange range = both(node, clamp);
    return clamp.traits->kind == NodeKind::Clamp && clamp.flags == 0 && range.min < range.max &&
           isAlike(payload.value(node.outputs[0]), payload.value(clamp.outputs[0]));
}

/// Whether a node is elementwise with one input.
bool isByNumber(const PayloadNode& node) {
    const NodeForm form = node.traits->form();
    return node.flags == 0 &&
           (form == NodeForm::Unary || form == NodeForm::UnaryNumber || form == NodeForm::Convert);
}

/// The nodes after a dequantization up to and including the next quantization; empty if another kind of node
/// is between them.
std::vector<std::size_t> upToQuantization(const Payload& payload, std::span<const std::size_t> readers,
                                          std::size_t first) {
    std::vector<std::size_t> behind;
    const ValueIndex start = payload.nodes[first].inputs[0];
    for (std::size_t node = first; isByNumber(payload.nodes[node]);) {
        const PayloadValue& made = payload.value(payload.nodes[node].outputs[0]);
        if (made.datatype != Datatype::Fp32) {
            const bool isWhole =
                !behind.empty() && isByteTensor(made) && made.datatype == payload.value(start).datatype;
            return isWhole ? std::move(behind) : std::vector<std::size_t>();
        }
        node = readers[payload.nodes[node].outputs[0]];
        if (node == none) {
            break;
        }
        behind.push_back(node);
    }
    return {};
}

bool mayBegin(const Payload& payload, const Shapes& shapes, const PayloadNode& node) {
    return kernels::quantized::hasFastByteTable() && node.traits->kind == NodeKind::Convert &&
           isByteTensor(payload.value(node.inputs[0])) && payload.value(node.inputs[0]).constant == 0 &&
           elementsOf(shapes[node.inputs[0]]) >= leastElements;
}

}  // namespace

JoinedNodes JoinedNodes::find(const Payload& payload, const Shapes& shapes, std::span<NodePath> paths) {
    JoinedNodes made;
    made.joined.resize(payload.nodes.size());
    const std::vector<std::size_t> readers = onlyReaders(payload);
    const auto isLibrarys = [&](std::size_t node) { return paths[node] == NodePath::Library; };
    for (std::size_t i = 0; i < payload.nodes.size(); ++i) {
        const PayloadNode& node = payload.nodes[i];
        if (paths[i] == NodePath::CustomFaster && isConvolution(node)) {
            const std::size_t reader = readers[node.outputs[0]];
            if (reader != none && isLibrarys(reader) &&
                isJoinableClamp(payload, node, payload.nodes[reader])) {
                made.join(i, {reader});
            }
        } else if (isLibrarys(i) && mayBegin(payload, shapes, node)) {
            std::vector<std::size_t> behind = upToQuantization(payload, readers, i);
            if (!behind.empty() && std::ranges::all_of(behind, isLibrarys)) {
                paths[i] = NodePath::CustomFaster;
                made.join(i, std::move(behind));
            }
        }
    }
    return made;
}

void JoinedNodes::join(std::size_t node, std::vector<std::size_t> behind) {
    for (const std::size_t each : behind) {
        joined[each] = true;
    }
    followers.emplace(node, std::move(behind));
}

std::span<const std::size_t> JoinedNodes::of(std::size_t node) const {
    const auto found = followers.find(node);
    return found == followers.end() ? std::span<const std::size_t>() : found->second;
}

PayloadNode withClamp(const PayloadNode& convolution, const PayloadNode& clamp) {
    PayloadNode made = convolution;
    made.range = both(convolution, clamp);
    made.outputs = clamp.outputs;
    return made;
}

}  // namespace et::backends::xnnpack
