#include "inspector/join/node_fields.h"

#include "inspector/join/module_nodes.h"
#include "inspector/names/operator_names.h"
#include "inspector/names/plain_operator.h"
#include "inspector/names/python_stack.h"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

namespace et::inspector {
namespace {

/// "model.py:7": the innermost frame outside PyTorch.
std::string sourceLine(std::string_view trace) {
    const auto frame = ownFrame(parseFrames(trace));
    return frame ? std::string(frame->path) + ":" + std::to_string(frame->line) : std::string();
}

}  // namespace

format::List sourceLines(EdgeNodes nodes) {
    std::vector<std::string> lines;
    for (const etrecord::Node* node : nodes) {
        std::string line = sourceLine(node->stackTrace);
        if (!line.empty() && std::ranges::find(lines, line) == lines.end()) {
            lines.push_back(std::move(line));
        }
    }
    return {lines.begin(), lines.end()};
}

bool isNoModule(std::string_view name) {
    return name.starts_with("_empty_nn_module_stack");
}

std::span<const etrecord::ModuleFrame> modulesOf(const etrecord::Node& node) {
    const bool inNone = !node.moduleStack.empty() && isNoModule(node.moduleStack.back().fqn);
    return inNone ? std::span<const etrecord::ModuleFrame>() : std::span(node.moduleStack);
}

std::span<const etrecord::ModuleFrame> sharedModules(std::span<const etrecord::ModuleFrame> first,
                                                     std::span<const etrecord::ModuleFrame> second) {
    const auto same = [](const auto& a, const auto& b) { return a.path == b.path; };
    const auto split = std::ranges::mismatch(first, second, same).in1;
    return first.first(static_cast<std::size_t>(split - first.begin()));
}

std::optional<std::span<const etrecord::ModuleFrame>> commonModules(EdgeNodes nodes) {
    std::optional<std::span<const etrecord::ModuleFrame>> common;
    for (const etrecord::Node* node : nodesWithModules(nodes)) {
        const auto stack = modulesOf(*node);
        common = sharedModules(common.value_or(stack), stack);
    }
    return common;
}

std::size_t resultRank(const etrecord::ExportedGraph* graph, const etrecord::Node& node) {
    if (graph == nullptr || node.outputs.empty()) {
        return 0;
    }
    const auto* const value = std::get_if<etrecord::ValueRef>(&node.outputs.front().value);
    const auto found = value ? graph->tensors.find(value->name) : graph->tensors.end();
    return found == graph->tensors.end() ? 0 : found->second.sizes.size();
}

std::string joinedName(const etrecord::ExportedGraph* graph, EdgeNodes nodes) {
    JoinedOperators operators;
    for (const etrecord::Node* const node : nodes) {
        operators.add(names::detail::nodeOperator(node->op), resultRank(graph, *node));
    }
    return operators.text();
}

format::Cell commonModule(EdgeNodes nodes) {
    const auto modules = commonModules(nodes);
    if (!modules) {
        return {};
    }
    return modules->empty() ? std::string() : modules->back().fqn;
}

}  // namespace et::inspector
