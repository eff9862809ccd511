#include "inspector/numeric_gap/reference_values.h"

#include "backends/reference/node_values.h"
#include "backends/reference/operators.h"

#include <algorithm>
#include <set>
#include <utility>

namespace et::inspector {
namespace {

using backends::reference::Interpreter;
using backends::reference::ReferenceValue;
using core::Result;

void addName(const etrecord::ValueRef& value, std::vector<std::string_view>& names) {
    names.emplace_back(value.name);
}

void addNames(const etrecord::Argument& argument, std::vector<std::string_view>& names) {
    if (const auto* one = std::get_if<etrecord::ValueRef>(&argument.value)) {
        addName(*one, names);
    } else if (const auto* list =
                   std::get_if<std::vector<std::optional<etrecord::ValueRef>>>(&argument.value)) {
        for (const auto& each : *list) {
            if (each) {
                addName(*each, names);
            }
        }
    } else if (const auto* sizes = std::get_if<std::vector<etrecord::SymInt>>(&argument.value)) {
        for (const etrecord::SymInt& each : *sizes) {
            if (!each.expression.empty()) {
                names.emplace_back(each.expression);
            }
        }
    } else if (const auto* nested = std::get_if<std::vector<etrecord::Argument>>(&argument.value)) {
        for (const etrecord::Argument& each : *nested) {
            addNames(each, names);
        }
    }
}

bool hasTensor(const etrecord::ExportedGraph& graph, const etrecord::Node& node) {
    return std::ranges::any_of(valueNames(node.outputs),
                               [&](std::string_view name) { return graph.tensors.contains(name); });
}

/// The result of a node: one value, or a list if it has several.
ReferenceValue resultOf(const etrecord::Node& node, const GraphValues& values) {
    const std::vector<std::string_view> names = valueNames(node.outputs);
    const bool isList = names.size() != 1 || node.outputs.front().kind == "as_tensors";
    ReferenceValue::List list;
    for (const std::string_view name : names) {
        const auto found = values.find(name);
        list.push_back(found == values.end() ? ReferenceValue{} : found->second);
    }
    return isList || list.empty() ? ReferenceValue{std::move(list)} : list.front();
}

}  // namespace

const backends::reference::ReferenceTensor* tensorIn(const GraphValues& values, std::string_view name) {
    const auto found = values.find(name);
    return found == values.end() ? nullptr : found->second.as<backends::reference::ReferenceTensor>();
}

bool isUserInput(const etrecord::InputSpec& spec) {
    return spec.kind == "user_input" || spec.kind == "constant_input";
}

std::vector<std::string_view> valueNames(const etrecord::Argument& argument) {
    std::vector<std::string_view> names;
    addNames(argument, names);
    return names;
}

std::vector<std::string_view> valueNames(std::span<const etrecord::Argument> arguments) {
    std::vector<std::string_view> names;
    for (const etrecord::Argument& each : arguments) {
        addNames(each, names);
    }
    return names;
}

Result<GraphValues> runGraph(Interpreter& interpreter, std::span<const ReferenceValue> inputs) {
    return runGraph(interpreter, inputs, {});
}

Result<GraphValues> runGraph(Interpreter& interpreter, std::span<const ReferenceValue> inputs,
                             const KeepsNode& keeps, ValueStore* store) {
    GraphValues values;
    const etrecord::ExportedGraph& graph = interpreter.graph();
    std::size_t next = 0;
    for (const etrecord::InputSpec& spec : graph.inputSpecs) {
        if (isUserInput(spec) && next < inputs.size()) {
            if (!spec.value.empty()) {
                values.insert_or_assign(spec.value, inputs[next]);
            }
            ++next;
        }
    }
    const auto observe = [&](const etrecord::ExportedGraph& of, etrecord::NodeIndex node,
                             std::span<const ReferenceValue> outputs) -> Result<> {
        if (&of == &graph && (!keeps || keeps(node, outputs))) {
            backends::reference::forResults(
                graph.nodes[node], outputs, [&](const std::string& name, const ReferenceValue& value) {
                    values.insert_or_assign(name, store == nullptr ? value : store->keep(value));
                });
        }
        return {};
    };
    ET_TRY(interpreter.run(inputs, observe));
    return values;
}

bool mayWriteArguments(const etrecord::ExportedGraph& graph) {
    return std::ranges::any_of(graph.nodes, [](const etrecord::Node& node) {
        const auto op = backends::reference::resolveOperator(node.target);
        return op.row == nullptr || op.inPlace ||
               std::ranges::any_of(node.inputs, [](const etrecord::Argument& argument) {
                   return std::holds_alternative<std::shared_ptr<const etrecord::GraphRef>>(argument.value);
               });
    });
}

std::map<std::string, core::DebugHandle, std::less<>> handlesOfExported(
    const etrecord::ExportedGraph& exported, const etrecord::ExportedGraph& edge,
    std::int64_t exportGraphId) {
    std::set<std::string_view> known;
    for (const etrecord::Node& each : exported.nodes) {
        known.insert(each.name);
    }
    std::map<std::string, core::DebugHandle, std::less<>> handles;
    for (const etrecord::Node& node : edge.nodes) {
        // Exporting adds nodes that compute sizes of dynamic shapes; these have no tensors and no source
        // nodes.
        if (node.debugHandles.empty() || !hasTensor(edge, node)) {
            continue;
        }
        bool isMade = false;
        for (const etrecord::NodeSource& source : node.history()) {
            if (source.graphId == exportGraphId && known.contains(source.name)) {
                handles.insert_or_assign(source.name, node.debugHandles.front());
                isMade = true;
            }
        }
        if (!isMade) {
            return {};
        }
    }
    return handles;
}

std::vector<GraphOutput> outputsByHandle(
    const etrecord::ExportedGraph& graph, const GraphValues& values,
    const std::map<std::string, core::DebugHandle, std::less<>>* handles) {
    std::vector<GraphOutput> outputs;
    for (const etrecord::Node& node : graph.nodes) {
        HandleList own = node.debugHandles;
        if (handles != nullptr) {
            const auto known = handles->find(node.name);
            own = known == handles->end() ? HandleList{} : HandleList{known->second};
        }
        if (!own.empty() && !node.outputs.empty() && !node.name.contains("getitem")) {
            addOutput(outputs, own, node.name, resultOf(node, values));
        }
    }
    return outputs;
}

}  // namespace et::inspector
