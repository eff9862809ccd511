#pragma once

#include "backends/reference/reference_value.h"
#include "etrecord/exported_graph.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace et::backends::reference {

/// Calls `visit` with every value name in an argument or result of a node; empty for a missing list item.
/// Names live as long as the argument. Values inside a subgraph are excluded.
template <class Visit>
void forNames(const etrecord::Argument& argument, const Visit& visit) {
    if (const auto* ref = std::get_if<etrecord::ValueRef>(&argument.value)) {
        visit(ref->name);
    } else if (const auto* list =
                   std::get_if<std::vector<std::optional<etrecord::ValueRef>>>(&argument.value)) {
        static const std::string nameless;
        for (const auto& item : *list) {
            visit(item ? item->name : nameless);  // no copy: the visitor may keep views
        }
    } else if (const auto* numbers = std::get_if<std::vector<etrecord::SymInt>>(&argument.value)) {
        for (const auto& item : *numbers) {
            visit(item.expression);
        }
    } else if (const auto* items = std::get_if<std::vector<etrecord::Argument>>(&argument.value)) {
        for (const etrecord::Argument& item : *items) {
            forNames(item, visit);
        }
    }
}

/// Whether a graph is the body of control flow: only whole programs specify outputs. Its values may have the
/// names of values outside.
[[nodiscard]] inline bool isSubgraph(const etrecord::ExportedGraph& graph) {
    return graph.outputSpecs.empty();
}

/// Calls `visit(name, value)` with every value that a node produced, including the items of lists. `outputs`:
/// one per output of the node, as a NodeObserver gets them.
template <class Visit>
void forResults(const etrecord::Node& node, std::span<const ReferenceValue> outputs, const Visit& visit) {
    for (std::size_t i = 0; i < outputs.size() && i < node.outputs.size(); ++i) {
        const auto* list = outputs[i].as<ReferenceValue::List>();
        std::size_t item = 0;
        forNames(node.outputs[i], [&](const std::string& name) {
            if (list == nullptr && item == 0) {
                visit(name, outputs[i]);
            } else if (list != nullptr && item < list->size()) {
                visit(name, (*list)[item]);
            }
            ++item;
        });
    }
}

/// Returns all of these names, in order.
[[nodiscard]] inline std::vector<std::string> namesIn(const std::vector<etrecord::Argument>& arguments) {
    std::vector<std::string> names;
    for (const etrecord::Argument& argument : arguments) {
        forNames(argument, [&](const std::string& name) { names.push_back(name); });
    }
    return names;
}

}  // namespace et::backends::reference
