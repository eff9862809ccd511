#include "inspector/graph/detail/delegate_insides.h"

#include "runtime/core/scalar_type.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>
#include <variant>

namespace et::inspector::graph::detail {

using core::GraphAttribute;
using core::GraphGroupId;
using core::GraphNode;
using core::GraphValue;
using core::GraphValueId;
using core::ModelGraph;
using core::Result;
using program::TensorInfo;
using program::ValueId;

namespace {

/// Limit on the total nodes of delegate calls, because a damaged file may repeat a call.
constexpr std::size_t maxInside = 500'000;

/// Argument index of a value inside a delegate, from its description.
std::optional<std::size_t> argumentOf(const GraphValue& value) {
    const auto found = std::ranges::find(value.attributes, "argument", &GraphAttribute::name);
    if (found == value.attributes.end()) {
        return std::nullopt;
    }
    std::size_t number = 0;
    const auto [end, error] =
        std::from_chars(found->text.data(), found->text.data() + found->text.size(), number);
    return error == std::errc() ? std::optional(number) : std::nullopt;
}

/// By value of a delegate's graph: its argument index in the call, from the description or else by order.
std::vector<std::optional<std::size_t>> argumentsOf(const ModelGraph& inner) {
    std::vector<std::optional<std::size_t>> arguments;
    std::size_t ordinal = 0;
    for (const GraphValue& value : inner.values()) {
        const bool crosses = value.role == GraphValue::Role::Input || value.role == GraphValue::Role::Output;
        arguments.push_back(crosses ? std::optional(argumentOf(value).value_or(ordinal++)) : std::nullopt);
    }
    return arguments;
}

}  // namespace

ValueFlow::ValueFlow(const program::Method& of, core::ModelGraph& into)
    : method(of), graph(into), current(of.values.size()), changing(of.values.size()) {
    for (const ValueId input : method.inputs) {
        changing[input.value] = true;
        current[input.value] = graph.addValue(describe(input, GraphValue::Role::Input));
        fill(input);
    }
}

GraphValue ValueFlow::describe(ValueId id, GraphValue::Role role) const {
    GraphValue value{.name = fmt::format("v{}", id.value), .type = {}, .role = role};
    const auto* tensor = method.value(id).as<TensorInfo>();
    if (tensor == nullptr) {
        value.type = std::string(program::valueTypeName(method.value(id)));
        return value;
    }
    value.type =
        fmt::format("{} {}", core::scalarTypeName(tensor->scalarType), core::sizesText(tensor->sizes));
    value.bytes = static_cast<std::uint64_t>(tensor->byteSize.value_or(0));
    if (!tensor->name.empty()) {
        value.attributes.push_back({"name", std::string(tensor->name)});
    }
    if (tensor->allocation) {
        value.attributes.push_back({"memory", fmt::format("arena {} at {}", tensor->allocation->arena.value,
                                                          tensor->allocation->offset)});
    }
    if (tensor->dynamism != program::ShapeDynamism::Static) {
        const bool bounded = tensor->dynamism == program::ShapeDynamism::Bounded;
        value.attributes.push_back({"shape", bounded ? "upper bound" : "determined at run time"});
    }
    return value;
}

GraphValueId ValueFlow::now(ValueId id) {
    std::optional<GraphValueId>& known = current[id.value];
    if (!known) {
        known = viewed(id);
    }
    if (!known) {
        const auto* tensor = method.value(id).as<TensorInfo>();
        const bool constant = tensor != nullptr && tensor->initialData != program::InitialData::None;
        known = graph.addValue(
            describe(id, constant ? GraphValue::Role::Constant : GraphValue::Role::Intermediate));
    }
    return *known;
}

std::optional<GraphValueId> ValueFlow::viewed(ValueId id) const {
    const auto* tensor = method.value(id).as<TensorInfo>();
    if (tensor == nullptr || !tensor->allocation || tensor->initialData != program::InitialData::None) {
        return std::nullopt;
    }
    const auto found = filled.find({tensor->allocation->arena, tensor->allocation->offset});
    const bool fits = found != filled.end() && graph.value(found->second).bytes >=
                                                   static_cast<std::uint64_t>(tensor->byteSize.value_or(0));
    return fits ? std::optional(found->second) : std::nullopt;
}

/// Records the value that now occupies the memory of `id`.
void ValueFlow::fill(ValueId id) {
    const auto* tensor = method.value(id).as<TensorInfo>();
    if (tensor != nullptr && tensor->allocation) {
        filled[{tensor->allocation->arena, tensor->allocation->offset}] = *current[id.value];
    }
}

GraphValueId ValueFlow::write(ValueId id) {
    GraphValue value = describe(id, GraphValue::Role::Intermediate);
    if (current[id.value]) {
        value.attributes.push_back({"written", "again, in place"});
    }
    changing[id.value] = true;
    current[id.value] = graph.addValue(std::move(value));
    fill(id);
    return *current[id.value];
}

bool ValueFlow::flows(ValueId id) const {
    return method.value(id).is<TensorInfo>() || changing[id.value];
}

Result<ModelGraph> describeDelegate(const program::Delegate& delegate, const ProgramGraphSources& sources,
                                    const executor::NamedDataSource& data) {
    const executor::Backend* backend = executor::findBackend(sources.backends, delegate.backend);
    if (backend == nullptr) {
        return core::fail(core::ErrorCode::Unsupported, "this build does not support the format");
    }
    return backend->describe(delegate, data);
}

const Result<ModelGraph>& DelegateInsides::insideOf(program::DelegateId id) {
    const auto found = described.find(id);
    return found != described.end()
               ? found->second
               : described.emplace(id, describeDelegate(method.delegate(id), sources, data)).first->second;
}

bool DelegateInsides::add(const program::DelegateCall& call, const join::detail::InstructionAccess& access,
                          const std::vector<const etrecord::Node*>& edges, GraphNode& node) {
    const program::Delegate& delegate = method.delegate(call.delegate);
    node.attributes.push_back({"delegate", fmt::to_string(call.delegate.value)});
    node.attributes.push_back({"payload", fmt::format("{} bytes", delegate.payload.size())});
    for (const program::CompileSpec& spec : delegate.compileSpecs) {
        node.attributes.push_back(
            {fmt::format("setting {}", spec.key), fmt::format("{} bytes", spec.value.size())});
    }
    const Result<ModelGraph>& inner = insideOf(call.delegate);
    if (!inner) {
        node.attributes.push_back({"inside", "unknown: " + inner.error().toString()});
        return addRecorded(call, access, edges, node);
    }
    inside += inner->nodes().size();
    if (inside > maxInside || inner->nodes().empty()) {
        node.attributes.push_back({"inside", fmt::format("{} nodes, not shown", inner->nodes().size())});
        return false;
    }
    inlineGraph(*inner, argumentsOf(*inner), call, node);
    return true;
}

bool DelegateInsides::addRecorded(const program::DelegateCall& call,
                                  const join::detail::InstructionAccess& access,
                                  std::vector<const etrecord::Node*> edges, GraphNode& node) {
    const etrecord::ExportedGraph* whole = edges.empty() ? nullptr : sources.record->edgeGraph(method.name);
    inside += edges.size();
    if (whole == nullptr || inside > maxInside) {
        return false;
    }
    if (!recordUses) {
        recordUses = useCounts(*whole);
    }
    std::ranges::sort(edges);  // graph order
    const ModelGraph inner = recordedPart(*whole, edges, *recordUses);
    node.attributes.push_back({"shown", fmt::format("{} nodes of the record", edges.size())});
    inlineGraph(inner, argumentsByType(inner, call, access), call, node);
    return true;
}

/// The first remaining arguments of the same dtype and shape, because a record does not map them.
DelegateInsides::Arguments DelegateInsides::argumentsByType(
    const ModelGraph& inner, const program::DelegateCall& call,
    const join::detail::InstructionAccess& access) const {
    Arguments arguments;
    std::vector<bool> used(call.args.size());
    for (const GraphValue& value : inner.values()) {
        const bool input = value.role == GraphValue::Role::Input;
        const std::vector<ValueId>& candidates = input ? access.reads : access.writes;
        std::optional<std::size_t>& found = arguments.emplace_back();
        for (std::size_t i = 0; i < call.args.size() && !found; ++i) {
            const bool crosses = input || value.role == GraphValue::Role::Output;
            if (crosses && !used[i] && std::ranges::contains(candidates, call.args[i]) &&
                flow.describe(call.args[i], value.role).type == value.type) {
                used[i] = true;
                found = i;
            }
        }
    }
    return arguments;
}

void DelegateInsides::inlineGraph(const ModelGraph& inner, const Arguments& arguments,
                                  const program::DelegateCall& call, const GraphNode& outer) {
    core::GraphGroup group{.name = fmt::format("{} {}", outer.kind, call.delegate.value),
                           .parent = outer.group,
                           .kind = "delegate",
                           .attributes = outer.attributes};
    group.attributes.push_back({"instruction", outer.name});
    const GraphGroupId groupId = graph.addGroup(std::move(group));
    const std::vector<GraphGroupId> groups = addInnerGroups(inner, groupId);
    const std::vector<GraphValueId> values = addInnerValues(inner, arguments, call);
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

/// Adds the delegate's groups, parents first, below that of the delegate.
std::vector<GraphGroupId> DelegateInsides::addInnerGroups(const ModelGraph& inner, GraphGroupId outer) {
    std::vector<GraphGroupId> ids;
    for (core::GraphGroup group : inner.groups()) {
        group.parent = group.parent && group.parent->value < ids.size() ? ids[group.parent->value] : outer;
        ids.push_back(graph.addGroup(std::move(group)));
    }
    return ids;
}

/// Adds the delegate's values; its inputs and outputs are those of the call.
std::vector<GraphValueId> DelegateInsides::addInnerValues(const ModelGraph& inner, const Arguments& arguments,
                                                          const program::DelegateCall& call) {
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
            const ValueId id = call.args[*arguments[i]];
            ids.push_back(role == GraphValue::Role::Input ? flow.now(id) : flow.write(id));
        }
    }
    return ids;
}

}  // namespace et::inspector::graph::detail
