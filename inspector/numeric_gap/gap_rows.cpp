#include "inspector/numeric_gap/gap_rows.h"

#include "inspector/join/module_nodes.h"
#include "inspector/join/node_fields.h"
#include "inspector/numeric_gap/fitted_tensor.h"
#include "inspector/numeric_gap/tensor_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace et::inspector {
namespace {

using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;
using etrecord::NodeIndex;

/// A number as a zero-dimensional tensor; nothing for values that are not numeric.
std::optional<ReferenceTensor> tensorOf(const ReferenceValue& value) {
    if (const auto* tensor = value.as<ReferenceTensor>()) {
        return *tensor;
    }
    double number = 0;
    if (const auto* whole = value.as<std::int64_t>()) {
        number = static_cast<double>(*whole);
    } else if (const auto* real = value.as<double>()) {
        number = *real;
    } else if (const auto* truth = value.as<bool>()) {
        number = *truth ? 1 : 0;
    } else {
        return std::nullopt;
    }
    auto memory = std::make_shared<double>(number);
    return ReferenceTensor{.view = core::Tensor::over(memory.get(), {}), .owner = std::move(memory)};
}

/// Sizes other than 1.
std::vector<std::int64_t> properSizes(const core::Tensor& tensor) {
    std::vector<std::int64_t> sizes(tensor.sizes().begin(), tensor.sizes().end());
    std::erase(sizes, 1);
    return sizes;
}

template <class Number>
bool haveSameBits(std::span<const Number> left, std::span<const Number> right) {
    return left.size() == right.size() && std::memcmp(left.data(), right.data(), left.size_bytes()) == 0;
}

/// `format`: number format of the runtime's dtype.
template <class Number, class... Format>
void measure(std::span<const Number> expected, std::span<const Number> given, GapPair& pair,
             Format... format) {
    pair.reference.statistics = computeStatistics(expected);
    // If both sides are equal bit for bit, as is common, the statistics of one are sufficient.
    pair.runtime.statistics =
        haveSameBits(expected, given) ? pair.reference.statistics : computeStatistics(given);
    const core::Tensor& left = pair.reference.tensor.view;
    const core::Tensor& right = pair.runtime.tensor.view;
    // A linear layer and the matrix product that it is lowered to have the same elements in the same order.
    if (properSizes(left) == properSizes(right) || haveMergedSizes(left, right)) {
        pair.numbers = measureGap(expected, given, format...);
    } else {
        pair.difference = fmt::format("shapes differ: the reference has {}, the runtime {}",
                                      core::sizesText(left.sizes()), core::sizesText(right.sizes()));
    }
}

GapPair pairOf(ReferenceTensor reference, ReferenceTensor runtime) {
    GapPair pair{.reference = {.tensor = std::move(reference), .statistics = {}},
                 .runtime = {.tensor = std::move(runtime), .statistics = {}},
                 .numbers = {},
                 .runtimeQuantization = {},
                 .difference = {}};
    const core::Tensor& left = pair.reference.tensor.view;
    const core::Tensor& right = pair.runtime.tensor.view;
    const auto leftFloats = plainFloats(left);
    const auto rightFloats = plainFloats(right);
    if (leftFloats && rightFloats) {
        measure(*leftFloats, *rightFloats, pair);
        return pair;
    }
    const auto expected = numbersOf(left);
    const auto given = numbersOf(right);
    if (expected && given) {
        measure(std::span<const double>(*expected), std::span<const double>(*given), pair,
                floatFormat(right.dtype()));
    } else {
        pair.difference = (!expected ? expected : given).error().message;
    }
    return pair;
}

std::vector<const etrecord::Node*> nodesAt(const etrecord::ExportedGraph& graph,
                                           std::span<const NodeIndex> nodes) {
    std::vector<const etrecord::Node*> found;
    for (const NodeIndex index : nodes) {
        found.push_back(&graph.nodes[index]);
    }
    return found;
}

/// The innermost module common to these nodes; empty: the root, or unknown.
std::string moduleOf(EdgeNodes nodes) {
    const format::Cell module = inspector::commonModule(nodes);
    const auto* text = std::get_if<std::string>(&module);
    return text == nullptr ? std::string() : *text;
}

void addHandles(std::vector<core::DebugHandle>& all, std::span<const core::DebugHandle> more) {
    for (const core::DebugHandle each : more) {
        if (!std::ranges::contains(all, each)) {
            all.push_back(each);
        }
    }
}

}  // namespace

std::vector<GapPair> pairsOf(const ReferenceValue& reference, const ReferenceValue& runtime) {
    std::vector<GapPair> pairs;
    const auto* left = reference.as<ReferenceValue::List>();
    const auto* right = runtime.as<ReferenceValue::List>();
    if (left != nullptr && right != nullptr) {
        for (std::size_t i = 0; i < std::min(left->size(), right->size()); ++i) {
            std::ranges::move(pairsOf((*left)[i], (*right)[i]), std::back_inserter(pairs));
        }
        return pairs;
    }
    auto expected = tensorOf(left != nullptr && !left->empty() ? left->front() : reference);
    auto given = tensorOf(right != nullptr && !right->empty() ? right->front() : runtime);
    if (expected && given) {
        pairs.push_back(pairOf(*std::move(expected), *std::move(given)));
    }
    return pairs;
}

void dropTensors(GapRow& row) {
    for (GapPair& pair : row.pairs) {
        for (GapTensor* side : {&pair.reference, &pair.runtime}) {
            const core::Tensor& whole = side->tensor.view;
            if (auto empty = core::Tensor::make(whole.dtype(), whole.sizes(), nullptr)) {
                side->tensor = {.view = *std::move(empty), .owner = nullptr};
            }
        }
    }
}

void describeNodes(GapRow& row, const etrecord::ExportedGraph& graph, std::span<const NodeIndex> nodes) {
    for (const NodeIndex index : nodes) {
        const etrecord::Node& node = graph.nodes[index];
        row.referenceOps.push_back(node.name);
        if (!node.stackTrace.empty()) {
            row.stackTraces.emplace_back(node.name, node.stackTrace);
        }
    }
    const std::vector<const etrecord::Node*> found = nodesAt(graph, nodes);
    row.module = moduleOf(found);
    row.name = joinedName(&graph, found);
}

GapRow rowOf(const HandleMatch& match, const etrecord::ExportedGraph& graph, GapGraph which) {
    GapRow row;
    row.referenceHandles = match.handles;
    row.runtimeHandles = match.handles;
    row.runtimeOps = match.events;
    row.graph = which;
    row.instruction = match.instruction;
    row.pairs = pairsOf(match.reference, match.runtime);
    std::vector<NodeIndex> nodes;
    for (const std::string& name : match.nodes) {
        const auto found = std::ranges::find(graph.nodes, name, &etrecord::Node::name);
        if (found != graph.nodes.end()) {
            nodes.push_back(static_cast<NodeIndex>(found - graph.nodes.begin()));
        }
    }
    describeNodes(row, graph, nodes);
    return row;
}

GapRow rowOf(const GapUnit& unit, const GraphWalk& graph, const GraphValues& reference,
             std::span<const NodeIndex> nodes) {
    GapRow row;
    row.runtimeOps = {unit.op};
    row.place = unit.where;
    row.graph = GapGraph::Edge;
    row.instruction = unit.instruction;
    row.backend = unit.backend;
    if (unit.handle) {
        row.runtimeHandles.push_back(*unit.handle);
        row.referenceHandles.push_back(*unit.handle);
    }
    for (const NodeIndex index : nodes) {
        addHandles(row.referenceHandles, graph.node(index).debugHandles);
    }
    describeNodes(row, graph.graph(), nodes);
    // Operators fused into another may belong to another module.
    std::vector<NodeIndex> own;
    std::ranges::copy_if(nodes, std::back_inserter(own), [&](NodeIndex index) {
        const etrecord::Node& node = graph.node(index);
        return unit.handle && std::ranges::contains(node.debugHandles, *unit.handle) &&
               !inspector::quantizes(node) && !inspector::modulesOf(node).empty();
    });
    if (!own.empty()) {
        const std::vector<const etrecord::Node*> found = nodesAt(graph.graph(), own);
        row.module = moduleOf(found);
        row.name = joinedName(&graph.graph(), found);
    }
    if (const auto expected = referenceAt(unit.place, reference)) {
        GapPair pair = pairOf(*expected, unit.real);
        pair.runtimeQuantization = unit.quantization;
        row.pairs.push_back(std::move(pair));
    }
    return row;
}

}  // namespace et::inspector
