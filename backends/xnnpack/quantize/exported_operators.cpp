#include "backends/xnnpack/quantize/exported_operators.h"

#include "backends/reference/node_values.h"

#include <algorithm>
#include <map>
#include <utility>

namespace et::backends::xnnpack {

using lowering::NodeIndex;

namespace {

/// True for "aten.linear.default"; strict export also records the Python functions and methods that called
/// it: "<built-in function linear>", "view".
bool isOperator(std::string_view target) {
    return target.contains('.') && !target.starts_with('<');
}

}  // namespace

std::optional<etrecord::NodeSource> originOf(const etrecord::Node& node) {
    std::optional<etrecord::NodeSource> origin;
    std::uint32_t deepest = 0;
    for (auto& source : node.history()) {
        if (source.depth < deepest) {
            break;  // belongs to another node that this one was made from
        }
        deepest = source.depth;
        if (isOperator(source.target)) {
            origin = std::move(source);
        }
    }
    return origin;
}

ExportedOperators::ExportedOperators(const lowering::EdgeMethod& of) : method(of) {
    std::map<std::pair<std::string, std::int64_t>, std::size_t> known;
    const auto& nodes = method.graph().nodes;
    for (NodeIndex i = 0; i < nodes.size(); ++i) {
        const auto origin = originOf(nodes[i]);
        std::size_t index = operators.size();
        if (origin) {
            index = known.try_emplace({origin->name, origin->graphId}, index).first->second;
        }
        if (index == operators.size()) {
            operators.push_back(origin ? ExportedOperator{.name = origin->name, .target = origin->target}
                                       : ExportedOperator{.name = nodes[i].name, .target = nodes[i].op});
        }
        operators[index].nodes.push_back(i);
        byNode.push_back(index);
    }
    std::ranges::for_each(operators, [&](ExportedOperator& op) { findOutput(op); });
}

void ExportedOperators::findOutput(ExportedOperator& op) {
    std::size_t count = 0;
    for (const NodeIndex node : op.nodes) {
        for (const etrecord::Argument& argument : method.node(node).outputs) {
            reference::forNames(argument, [&](const std::string& name) {
                if (!name.empty() && (method.isOutput(name) || !readers(name).empty())) {
                    op.output = name;
                    ++count;
                }
            });
        }
    }
    if (count != 1) {
        op.output = {};
    }
}

std::optional<std::size_t> ExportedOperators::producer(std::string_view value) const {
    const auto node = method.producer(value);
    return node ? std::optional(byNode[*node]) : std::nullopt;
}

std::vector<std::size_t> ExportedOperators::readers(std::string_view value) const {
    std::vector<std::size_t> found;
    const auto maker = producer(value);
    for (const NodeIndex node : method.users(value)) {
        const std::size_t op = byNode[node];
        if (op != maker && !std::ranges::contains(found, op)) {
            found.push_back(op);
        }
    }
    return found;
}

}  // namespace et::backends::xnnpack
