#include "backends/call_graph.h"

#include <fmt/format.h>

#include <utility>

namespace et::backends {

using core::GraphValue;
using core::GraphValueId;

void CallGraph::declare(std::size_t number, GraphValue value) {
    current[number] = GraphValueId(static_cast<std::uint32_t>(values.size()));
    values.push_back(std::move(value));
}

GraphValueId CallGraph::read(std::size_t number) {
    isTouched[number] = true;
    return *current[number];
}

GraphValueId CallGraph::write(std::size_t number) {
    const GraphValueId before = *current[number];
    const bool isFirst = !isTouched[number];
    isTouched[number] = true;
    if (isFirst && values[before.value].role == GraphValue::Role::Intermediate) {
        return before;
    }
    GraphValue next = values[before.value];
    next.role = GraphValue::Role::Intermediate;
    next.data = {};
    std::erase_if(next.attributes, [](const auto& attribute) { return attribute.name == "argument"; });
    current[number] = GraphValueId(static_cast<std::uint32_t>(values.size()));
    values.push_back(std::move(next));
    return *current[number];
}

void CallGraph::setType(std::size_t number, std::string type, std::uint64_t bytes) {
    GraphValue& value = values[current[number]->value];
    value.type = std::move(type);
    value.bytes = bytes;
}

void CallGraph::setInput(std::size_t number, std::size_t argument) {
    GraphValue& value = values[current[number]->value];
    value.role = GraphValue::Role::Input;
    value.attributes.push_back({"argument", fmt::to_string(argument)});
}

void CallGraph::setOutput(std::size_t number, std::size_t argument) {
    GraphValue& value = values[current[number]->value];
    if (value.role == GraphValue::Role::Intermediate) {
        value.role = GraphValue::Role::Output;
        value.attributes.push_back({"argument", fmt::to_string(argument)});
    }
}

core::ModelGraph CallGraph::finish() {
    core::ModelGraph graph;
    for (GraphValue& value : values) {
        graph.addValue(std::move(value));
    }
    for (core::GraphNode& node : nodes) {
        graph.addNode(std::move(node));
    }
    return graph;
}

}  // namespace et::backends
