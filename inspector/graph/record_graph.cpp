#include "inspector/graph/detail/module_groups.h"
#include "inspector/graph/detail/recorded_part.h"
#include "inspector/graph/graph_regions.h"
#include "inspector/graph/graph_sources.h"
#include "inspector/join/node_fields.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace et::inspector {

using core::GraphGroupId;
using core::GraphNode;
using core::GraphValue;
using core::GraphValueId;
using core::ModelGraph;

namespace {

using etrecord::Argument;
using etrecord::ExportedGraph;
using etrecord::ValueRef;

/// Maximum length of an attribute's text in bytes; longer ones end in dots.
constexpr std::size_t longestText = 200;

template <class T>
std::string symbolic(const etrecord::Symbolic<T>& each) {
    return each.expression.empty() ? fmt::to_string(each.value) : each.expression;
}

std::string typeOf(const etrecord::TensorMeta& meta) {
    std::string sizes;
    for (const etrecord::SymInt& size : meta.sizes) {
        sizes += (sizes.empty() ? "" : ", ") + symbolic(size);
    }
    return fmt::format("{} [{}]", core::scalarTypeName(meta.scalarType), sizes);
}

/// Size of the tensor with the sizes seen at export; 0 if unknown.
std::uint64_t bytesOf(const etrecord::TensorMeta& meta) {
    std::vector<std::int64_t> sizes;
    for (const etrecord::SymInt& size : meta.sizes) {
        sizes.push_back(size.value);
    }
    return static_cast<std::uint64_t>(core::tensorBytes(meta.scalarType, sizes).value_or(0));
}

std::string shortened(std::string text) {
    if (text.size() > longestText) {
        text.resize(longestText);
        text += "...";
    }
    return text;
}

/// Formats an argument as text.
struct ArgumentText {
    std::string operator()(std::monostate) const { return "None"; }
    std::string operator()(const ValueRef& ref) const { return ref.name; }
    std::string operator()(std::int64_t value) const { return fmt::to_string(value); }
    std::string operator()(double value) const { return fmt::to_string(value); }
    std::string operator()(bool value) const { return value ? "True" : "False"; }
    std::string operator()(const std::string& value) const { return value; }
    std::string operator()(const etrecord::SymInt& value) const { return symbolic(value); }
    std::string operator()(const std::optional<ValueRef>& ref) const { return ref ? ref->name : "None"; }
    std::string operator()(const std::shared_ptr<const etrecord::GraphRef>& ref) const {
        return ref == nullptr ? "a graph" : "graph " + ref->name;
    }
    std::string operator()(const Argument& argument) const { return std::visit(*this, argument.value); }
    template <class T>
    std::string operator()(const std::vector<T>& items) const {
        std::string text = "[";
        for (std::size_t i = 0; i < items.size() && text.size() <= longestText; ++i) {
            // A vector<bool> has no elements to refer to.
            const T& item = items[i];
            text += (i == 0 ? "" : ", ") + (*this)(item);
        }
        return text + "]";
    }
};

/// Calls `visit` with the name of each value that an argument references.
template <class Visit>
void eachReference(const Argument& argument, const Visit& visit) {
    if (const auto* ref = std::get_if<ValueRef>(&argument.value)) {
        visit(*ref);
    } else if (const auto* list = std::get_if<std::vector<std::optional<ValueRef>>>(&argument.value)) {
        for (const std::optional<ValueRef>& each : *list) {
            if (each) {
                visit(*each);
            }
        }
    } else if (const auto* nested = std::get_if<std::vector<Argument>>(&argument.value)) {
        for (const Argument& each : *nested) {
            eachReference(each, visit);
        }
    }
}

class RecordGraph {
  public:
    RecordGraph(ModelGraph& to, const etrecord::MethodMaps* maps) : graph(to), places(placesOf(maps)) {}

    /// Adds a graph below a group; a subgraph's inputs are values of the node that runs it.
    void add(const ExportedGraph& from, std::optional<GraphGroupId> outer, const std::string& prefix) {
        source = &from;
        Names names;
        addInputs(from, names, outer.has_value());
        graph::detail::ModuleGroups modules(graph, outer);
        for (const etrecord::Node& node : from.nodes) {
            addNode(node, from, names, modules, prefix);
            source = &from;  // changed by subgraphs
        }
        for (const Argument& output : from.outputs) {
            eachReference(output, [&](const ValueRef& ref) {
                const GraphValueId id = valueOf(ref.name, names);
                if (!outer && graph.value(id).role == GraphValue::Role::Intermediate) {
                    graph.setRole(id, GraphValue::Role::Output);
                }
            });
        }
    }

    /// Adds some nodes of a graph; values that cross their boundary become inputs and outputs.
    void addPart(const ExportedGraph& whole, std::span<const etrecord::Node* const> nodes,
                 const graph::detail::UseCounts& uses) {
        source = &whole;
        Names names;
        graph::detail::ModuleGroups modules(graph);
        for (const etrecord::Node* node : nodes) {
            addNode(*node, whole, names, modules, "");
        }
        std::set<std::string_view> constants;
        for (const etrecord::InputSpec& spec : whole.inputSpecs) {
            if (spec.kind != "user_input") {
                constants.insert(spec.value);
            }
        }
        for (const auto& [name, id] : names) {
            const GraphValue& value = graph.value(id);
            const auto used = uses.find(name);
            if (constants.contains(name)) {
                graph.setRole(id, GraphValue::Role::Constant);
            } else if (!value.producer) {
                graph.setRole(id, GraphValue::Role::Input);
            } else if (used != uses.end() && used->second > value.consumers.size()) {
                graph.setRole(id, GraphValue::Role::Output);
            }
        }
    }

  private:
    using Names = std::map<std::string, GraphValueId, std::less<>>;
    using Places = std::map<core::DebugHandle, std::string>;

    /// Returns the delegate or kernel that runs the nodes of a handle. If both a delegate and a kernel have
    /// it, the delegate takes precedence.
    static Places placesOf(const etrecord::MethodMaps* maps) {
        Places places;
        if (maps == nullptr) {
            return places;
        }
        for (const auto& [instruction, entry] : maps->debugHandles) {
            const auto delegate = maps->delegates.find(instruction);
            const bool delegated = delegate != maps->delegates.end();
            std::string place = fmt::format("instruction {}", instruction.value);
            place = delegated ? fmt::format("{}, {}", delegate->second.backend, place) : place;
            for (const core::DebugHandle handle : entry.handles) {
                const auto [known, fresh] = places.try_emplace(handle, place);
                if (!fresh && delegated) {
                    known->second = place;
                }
            }
        }
        return places;
    }

    void sayWhereItRuns(const etrecord::Node& from, GraphNode& node) const {
        for (const core::DebugHandle handle : from.debugHandles) {
            if (const auto place = places.find(handle); place != places.end()) {
                node.attributes.push_back({std::string(runsIn), place->second});
                return;
            }
        }
    }

    void addInputs(const ExportedGraph& from, Names& names, bool subgraph) {
        for (const Argument& input : from.inputs) {
            eachReference(input, [&](const ValueRef& ref) {
                const GraphValueId id = valueOf(ref.name, names);
                if (!subgraph) {
                    graph.setRole(id, GraphValue::Role::Input);
                }
            });
        }
        for (const etrecord::InputSpec& spec : from.inputSpecs) {
            if (!spec.value.empty() && spec.kind != "user_input") {
                graph.setRole(valueOf(spec.value, names), GraphValue::Role::Constant);
            }
        }
    }

    GraphValueId valueOf(std::string_view name, Names& names) {
        const auto known = names.find(name);
        if (known != names.end()) {
            return known->second;
        }
        GraphValue value{.name = std::string(name), .type = {}};
        if (const auto meta = source->tensors.find(name); meta != source->tensors.end()) {
            value.type = typeOf(meta->second);
            value.bytes = bytesOf(meta->second);
        } else if (source->symInts.contains(name)) {
            value.type = "int";
        }
        return names.emplace(name, graph.addValue(std::move(value))).first->second;
    }

    void addNode(const etrecord::Node& from, const ExportedGraph& whole, Names& names,
                 graph::detail::ModuleGroups& modules, const std::string& prefix) {
        GraphNode node{.name = prefix + from.name,
                       .kind = from.op,
                       .debugHandles = from.debugHandles,
                       .group = modules.groupOf(inspector::modulesOf(from))};
        const std::optional<GraphGroupId> module = node.group;
        for (std::size_t i = 0; i < from.inputs.size(); ++i) {
            const Argument& argument = from.inputs[i];
            bool flows = false;
            eachReference(argument, [&](const ValueRef& ref) {
                node.inputs.push_back(valueOf(ref.name, names));
                flows = true;
            });
            if (!flows) {
                node.attributes.push_back(
                    {argument.name.empty() ? fmt::format("argument {}", i) : argument.name,
                     shortened(ArgumentText{}(argument))});
            }
        }
        for (const Argument& argument : from.outputs) {
            eachReference(argument,
                          [&](const ValueRef& ref) { node.outputs.push_back(valueOf(ref.name, names)); });
        }
        const etrecord::Node* const one = &from;
        for (const format::Cell& line : inspector::sourceLines(std::span(&one, 1))) {
            node.attributes.push_back({"source", std::get<std::string>(line)});
        }
        sayWhereItRuns(from, node);
        graph.addNode(std::move(node));
        addSubgraphs(from, module, prefix);
        source = &whole;
    }

    void addSubgraphs(const etrecord::Node& from, std::optional<GraphGroupId> parent,
                      const std::string& prefix) {
        for (const Argument& argument : from.inputs) {
            const auto* ref = std::get_if<std::shared_ptr<const etrecord::GraphRef>>(&argument.value);
            if (ref != nullptr && *ref != nullptr) {
                const GraphGroupId group =
                    graph.addGroup(core::GraphGroup{.name = fmt::format("{} of {}", (*ref)->name, from.name),
                                                    .parent = parent,
                                                    .kind = "subgraph"});
                add((*ref)->graph, group, fmt::format("{}{}.{}.", prefix, from.name, (*ref)->name));
            }
        }
    }

    ModelGraph& graph;
    Places places;
    const ExportedGraph* source = nullptr;  ///< graph whose values are described
};

}  // namespace

graph::detail::UseCounts graph::detail::useCounts(const ExportedGraph& graph) {
    UseCounts uses;
    const auto count = [&](const ValueRef& ref) { ++uses[ref.name]; };
    for (const etrecord::Node& node : graph.nodes) {
        for (const Argument& input : node.inputs) {
            eachReference(input, count);
        }
    }
    for (const Argument& output : graph.outputs) {
        eachReference(output, count);
    }
    return uses;
}

ModelGraph graph::detail::recordedPart(const ExportedGraph& whole,
                                       std::span<const etrecord::Node* const> nodes, const UseCounts& uses) {
    ModelGraph graph;
    RecordGraph(graph, nullptr).addPart(whole, nodes, uses);
    return graph;
}

ModelGraph recordGraph(const ExportedGraph& exported, std::string_view name,
                       const etrecord::MethodMaps* maps) {
    ModelGraph graph;
    graph.name = std::string(name);
    RecordGraph(graph, maps).add(exported, std::nullopt, "");
    return graph;
}

}  // namespace et::inspector
