#include "backends/inlined_delegate.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

namespace et::backends {

using core::GraphGroupId;
using core::GraphNode;
using core::GraphValue;
using core::GraphValueId;
using core::ModelGraph;

namespace {

/// Argument index of a value inside a delegate, from its description.
std::optional<std::size_t> argumentOf(const GraphValue& value) {
    const auto found = std::ranges::find(value.attributes, "argument", &core::GraphAttribute::name);
    if (found == value.attributes.end()) {
        return std::nullopt;
    }
    std::size_t number = 0;
    const auto [end, error] =
        std::from_chars(found->text.data(), found->text.data() + found->text.size(), number);
    return error == std::errc() ? std::optional(number) : std::nullopt;
}

/// Adds the delegate's groups, parents first, below that of the delegate.
std::vector<GraphGroupId> addGroups(ModelGraph& graph, const ModelGraph& inner, GraphGroupId outer) {
    std::vector<GraphGroupId> ids;
    for (core::GraphGroup group : inner.groups()) {
        group.parent = group.parent && group.parent->value < ids.size() ? ids[group.parent->value] : outer;
        ids.push_back(graph.addGroup(std::move(group)));
    }
    return ids;
}

/// Adds the delegate's values; its inputs and outputs are those of the call.
std::vector<GraphValueId> addValues(ModelGraph& graph, program::ValueFlow& flow, const ModelGraph& inner,
                                    const CallArguments& arguments, const program::DelegateCall& call) {
    std::vector<GraphValueId> ids;
    for (std::size_t i = 0; i < inner.values().size(); ++i) {
        GraphValue value = inner.values()[i];
        const GraphValue::Role role = value.role;
        const bool crosses = role == GraphValue::Role::Input || role == GraphValue::Role::Output;
        if (!crosses) {
            value.producer.reset();
            value.consumers.clear();
            ids.push_back(graph.addValue(std::move(value)));
        } else if (!arguments[i] || *arguments[i] >= call.args.size()) {
            ids.push_back(graph.addValue({.name = value.name, .type = value.type}));
        } else {
            const program::ValueId id = call.args[*arguments[i]];
            ids.push_back(role == GraphValue::Role::Input ? flow.now(id) : flow.write(id));
        }
    }
    return ids;
}

}  // namespace

CallArguments callArguments(const ModelGraph& inner) {
    CallArguments arguments;
    std::size_t ordinal = 0;
    for (const GraphValue& value : inner.values()) {
        const bool crosses = value.role == GraphValue::Role::Input || value.role == GraphValue::Role::Output;
        arguments.push_back(crosses ? std::optional(argumentOf(value).value_or(ordinal++)) : std::nullopt);
    }
    return arguments;
}

ModelGraph rebuilt(const ModelGraph& graph, const std::function<void(GraphValueId, GraphValue&)>& changeValue,
                   const std::function<void(GraphNode&)>& changeNode) {
    ModelGraph out;
    out.name = graph.name;
    for (const core::GraphGroup& group : graph.groups()) {
        out.addGroup(group);
    }
    for (std::uint32_t i = 0; i < graph.values().size(); ++i) {
        GraphValue value = graph.values()[i];
        value.producer.reset();
        value.consumers.clear();
        if (changeValue) {
            changeValue(GraphValueId(i), value);
        }
        out.addValue(std::move(value));
    }
    for (GraphNode node : graph.nodes()) {
        if (changeNode) {
            changeNode(node);
        }
        out.addNode(std::move(node));
    }
    return out;
}

ModelGraph withArguments(const ModelGraph& graph, const std::map<GraphValueId, std::size_t>& arguments) {
    return rebuilt(graph,
                   [&](GraphValueId id, GraphValue& value) {
                       if (const auto found = arguments.find(id); found != arguments.end()) {
                           value.attributes.push_back({"argument", fmt::to_string(found->second)});
                       }
                   },
                   {});
}

void inlineDelegate(ModelGraph& graph, program::ValueFlow& flow, const ModelGraph& inner,
                    const CallArguments& arguments, const program::DelegateCall& call,
                    const GraphNode& outer) {
    core::GraphGroup group{.name = fmt::format("{} {}", outer.kind, call.delegate.value),
                           .parent = outer.group,
                           .kind = "delegate",
                           .attributes = outer.attributes};
    group.attributes.push_back({"instruction", outer.name});
    const GraphGroupId groupId = graph.addGroup(std::move(group));
    const std::vector<GraphGroupId> groups = addGroups(graph, inner, groupId);
    const std::vector<GraphValueId> values = addValues(graph, flow, inner, arguments, call);
    for (GraphNode node : inner.nodes()) {
        node.name = fmt::format("{}.{}", outer.name, node.name);
        node.group = node.group ? groups[node.group->value] : groupId;
        node.instruction = outer.instruction;
        for (GraphValueId& id : node.inputs) {
            id = values[id.value];
        }
        for (GraphValueId& id : node.outputs) {
            id = values[id.value];
        }
        graph.addNode(std::move(node));
    }
}

}  // namespace et::backends
