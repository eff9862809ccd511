#include "inspector/graph/detail/module_groups.h"
#include "inspector/graph/detail/recorded_part.h"
#include "inspector/graph/graph_sources.h"
#include "inspector/join/control_flow.h"
#include "inspector/join/instruction_access.h"
#include "inspector/join/instruction_nodes.h"
#include "inspector/names/argument_names.h"
#include "inspector/names/instruction_name.h"
#include "inspector/names/value_text.h"
#include "runtime/core/scalar_type.h"
#include "runtime/core/tensor.h"
#include "runtime/executor/module_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

namespace et::inspector {

using core::GraphAttribute;
using core::GraphGroupId;
using core::GraphNode;
using core::GraphNodeId;
using core::GraphValue;
using core::GraphValueId;
using core::ModelGraph;
using core::Result;
using program::TensorInfo;
using program::ValueId;

namespace {

/// Nodes that calls of delegates may add up to, when a damaged file calls one over and over.
constexpr std::size_t mostInside = 500'000;

Result<ModelGraph> describe(const program::Delegate& delegate, const ProgramGraphSources& sources,
                            const executor::NamedDataSource& data) {
    for (const executor::Backend* backend : sources.backends) {
        if (backend->name() == delegate.backend) {
            return backend->describe(delegate, data);
        }
    }
    return core::fail(core::ErrorCode::Unsupported, "this build does not know the format");
}

/// The number of the call's argument that a value inside of a delegate is, as its description says.
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

class ProgramGraph {
  public:
    explicit ProgramGraph(const ProgramGraphSources& from)
        : sources(from),
          method(from.method),
          reader(from.method),
          nodes(from.record, from.method.name),
          modules(graph),
          data(from.program, from.tensorData),
          current(from.method.values.size()),
          changing(from.method.values.size()) {
        for (const ValueId input : method.inputs) {
            changing[input.value] = true;
        }
    }

    Result<ModelGraph> build() {
        graph.name = std::string(method.name);
        for (const ValueId input : method.inputs) {
            current[input.value] = graph.addValue(describeValue(input, GraphValue::Role::Input));
            fill(input);
        }
        for (chain = 0; chain < method.chains.size(); ++chain) {
            flow = detail::controlFlowOf(method, method.chains[chain]);
            parts.clear();
            const auto& instructions = method.chains[chain].instructions;
            for (std::size_t i = 0; i < instructions.size(); ++i) {
                at = core::InstructionId(static_cast<std::int32_t>(i));
                ET_ASSIGN(const detail::InstructionAccess access, reader.next(instructions[i]));
                addInstruction(instructions[i], access);
            }
        }
        for (const ValueId output : method.outputs) {
            const GraphValueId id = valueOf(output);
            if (graph.value(id).role == GraphValue::Role::Intermediate) {
                graph.setRole(id, GraphValue::Role::Output);
            }
        }
        return std::move(graph);
    }

  private:
    [[nodiscard]] GraphValue describeValue(ValueId id, GraphValue::Role role) const {
        GraphValue value{.name = fmt::format("v{}", id.value), .type = {}, .role = role};
        const auto* tensor = std::get_if<TensorInfo>(&method.value(id));
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
            value.attributes.push_back(
                {"memory",
                 fmt::format("arena {} at {}", tensor->allocation->arena.value, tensor->allocation->offset)});
        }
        if (tensor->dynamism != program::ShapeDynamism::Static) {
            const bool bounded = tensor->dynamism == program::ShapeDynamism::Bounded;
            value.attributes.push_back({"shape", bounded ? "at most this" : "found at run time"});
        }
        return value;
    }

    /// What a value is now. One that nothing has written is a constant or state, or, at a place that
    /// something else has filled, a view of that: exporters drop the instruction of a view that copies
    /// nothing.
    GraphValueId valueOf(ValueId id) {
        std::optional<GraphValueId>& known = current[id.value];
        if (!known) {
            known = viewed(id);
        }
        if (!known) {
            const auto* tensor = std::get_if<TensorInfo>(&method.value(id));
            const bool constant = tensor != nullptr && tensor->initialData != program::InitialData::None;
            known = graph.addValue(
                describeValue(id, constant ? GraphValue::Role::Constant : GraphValue::Role::Intermediate));
        }
        return *known;
    }

    [[nodiscard]] std::optional<GraphValueId> viewed(ValueId id) const {
        const auto* tensor = std::get_if<TensorInfo>(&method.value(id));
        if (tensor == nullptr || !tensor->allocation || tensor->initialData != program::InitialData::None) {
            return std::nullopt;
        }
        const auto found = filled.find({tensor->allocation->arena, tensor->allocation->offset});
        const bool fits =
            found != filled.end() &&
            graph.value(found->second).bytes >= static_cast<std::uint64_t>(tensor->byteSize.value_or(0));
        return fits ? std::optional(found->second) : std::nullopt;
    }

    /// Notes who is at a place now.
    void fill(ValueId id) {
        const auto* tensor = std::get_if<TensorInfo>(&method.value(id));
        if (tensor != nullptr && tensor->allocation) {
            filled[{tensor->allocation->arena, tensor->allocation->offset}] = *current[id.value];
        }
    }

    GraphValueId written(ValueId id) {
        GraphValue value = describeValue(id, GraphValue::Role::Intermediate);
        if (current[id.value]) {
            value.attributes.push_back({"written", "again, in place"});
        }
        changing[id.value] = true;
        current[id.value] = graph.addValue(std::move(value));
        fill(id);
        return *current[id.value];
    }

    /// Tensors flow; numbers do where an instruction computes them or the caller gives them.
    [[nodiscard]] bool flows(ValueId id) const {
        return std::holds_alternative<TensorInfo>(method.value(id)) || changing[id.value];
    }

    [[nodiscard]] std::string nodeName() const {
        return chain == 0 ? fmt::to_string(at.value) : fmt::format("{}.{}", chain, at.value);
    }

    void addInstruction(const program::Instruction& instruction, const detail::InstructionAccess& access) {
        GraphNode node{
            .name = nodeName(), .kind = detail::instructionLabel(method, instruction), .instruction = at};
        if (chain == 0) {
            node.debugHandles = nodes.handlesOf(at);
        }
        const auto edges = nodes.nodesOf(node.debugHandles);
        node.group = modules.commonGroup(edges);
        if (!node.group) {
            node.group = partOf(at.value);
        }
        if (const auto* call = std::get_if<program::DelegateCall>(&instruction)) {
            if (addDelegate(*call, access, edges, node)) {
                return;
            }
        } else if (const auto* kernel = std::get_if<program::KernelCall>(&instruction)) {
            addArguments(*kernel, access, node);
        } else if (const auto* jump = std::get_if<program::JumpFalseCall>(&instruction)) {
            node.attributes.push_back({"when false, goes to", fmt::to_string(jump->destination.value)});
            if (!flows(jump->condition)) {
                node.attributes.push_back({"condition", detail::valueText(method, jump->condition)});
            }
        }
        if (!edges.empty()) {
            node.attributes.push_back({"operator", edges.front()->op});
        }
        if (const auto* move = std::get_if<program::MoveCall>(&instruction)) {
            addOtherBranch(*move, node);
        }
        link(access, node);
        graph.addNode(std::move(node));
    }

    /// Where two branches end in moves to one value, what comes behind them takes either.
    void addOtherBranch(const program::MoveCall& move, GraphNode& node) const {
        const std::optional<GraphValueId>& before = current[move.to.value];
        const auto producer = before ? graph.value(*before).producer : std::nullopt;
        if (producer && graph.node(*producer).kind == node.kind) {
            node.inputs.push_back(*before);
        }
    }

    struct Part {
        detail::StepRange range;
        std::string name;
        std::string_view kind;
    };

    /// The branches and loops that an instruction is in, the outermost first.
    [[nodiscard]] std::vector<Part> partsAround(std::int64_t instruction) const {
        std::vector<Part> around;
        for (const detail::Branch& branch : flow.branches) {
            if (branch.whenTrue.contains(instruction)) {
                around.push_back(
                    {branch.whenTrue, fmt::format("when v{}", branch.condition.value), "branch"});
            } else if (branch.whenFalse.contains(instruction)) {
                around.push_back(
                    {branch.whenFalse, fmt::format("when not v{}", branch.condition.value), "branch"});
            }
        }
        const auto after = std::ranges::upper_bound(flow.loops, instruction, {}, &detail::StepRange::first);
        if (after != flow.loops.begin() && (after - 1)->contains(instruction)) {
            around.push_back({*(after - 1), "loop", "loop"});
        }
        std::ranges::stable_sort(around, std::ranges::greater{},
                                 [](const Part& part) { return part.range.last - part.range.first; });
        return around;
    }

    /// The innermost of them.
    std::optional<GraphGroupId> partOf(std::int64_t instruction) {
        std::optional<GraphGroupId> group;
        for (const Part& part : partsAround(instruction)) {
            const auto [known, fresh] = parts.try_emplace({part.range.first, part.range.last, part.name});
            if (fresh) {
                known->second = graph.addGroup(core::GraphGroup{
                    .name = part.name,
                    .parent = group,
                    .kind = std::string(part.kind),
                    .attributes = {
                        {"instructions", fmt::format("{} to {}", part.range.first, part.range.last)}}});
            }
            group = known->second;
        }
        return group;
    }

    void link(const detail::InstructionAccess& access, GraphNode& node) {
        for (const ValueId id : access.reads) {
            if (flows(id)) {
                node.inputs.push_back(valueOf(id));
            }
        }
        for (const ValueId id : access.writes) {
            const auto& value = method.value(id);
            const bool list = std::holds_alternative<program::TensorList>(value) ||
                              std::holds_alternative<program::OptionalTensorList>(value);
            if (!list) {
                node.outputs.push_back(written(id));
            }
        }
    }

    /// Arguments that do not flow, by the names that the operator gives them.
    void addArguments(const program::KernelCall& call, const detail::InstructionAccess& access,
                      GraphNode& node) const {
        const std::string op = method.op(call.op).fullName();
        std::vector<ValueId> results = access.writes;
        std::ranges::sort(results);
        for (std::size_t i = 0; i < call.args.size(); ++i) {
            const ValueId id = call.args[i];
            if (std::ranges::binary_search(results, id) || flows(id)) {
                continue;
            }
            const std::string_view name = detail::argumentName(op, i);
            node.attributes.push_back({name.empty() ? fmt::format("argument {}", i) : std::string(name),
                                       detail::valueText(method, id)});
        }
    }

    const Result<ModelGraph>& insideOf(program::DelegateId id) {
        const auto found = described.find(id);
        return found != described.end()
                   ? found->second
                   : described.emplace(id, describe(method.delegate(id), sources, data)).first->second;
    }

    /// Puts the inside of a delegate into the graph: what its backend describes, or else the record's nodes
    /// that it was made of. False: nobody can tell what it is; then `node` says why.
    bool addDelegate(const program::DelegateCall& call, const detail::InstructionAccess& access,
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
        if (inside > mostInside || inner->nodes().empty()) {
            node.attributes.push_back({"inside", fmt::format("{} nodes, not shown", inner->nodes().size())});
            return false;
        }
        inlineGraph(*inner, argumentsOf(*inner), call, node);
        return true;
    }

    bool addRecorded(const program::DelegateCall& call, const detail::InstructionAccess& access,
                     std::vector<const etrecord::Node*> edges, GraphNode& node) {
        const etrecord::ExportedGraph* whole =
            edges.empty() ? nullptr : sources.record->edgeGraph(method.name);
        inside += edges.size();
        if (whole == nullptr || inside > mostInside) {
            return false;
        }
        if (!recordUses) {
            recordUses = detail::useCounts(*whole);
        }
        std::ranges::sort(edges);  // the order of the graph, in which they stand
        const ModelGraph inner = detail::recordedPart(*whole, edges, *recordUses);
        node.attributes.push_back({"shown", fmt::format("{} nodes of the record", edges.size())});
        inlineGraph(inner, argumentsByType(inner, call, access), call, node);
        return true;
    }

    /// By value of a delegate's inside: which argument of the call it is.
    using Arguments = std::vector<std::optional<std::size_t>>;

    /// As the description numbers them, or else in their order.
    static Arguments argumentsOf(const ModelGraph& inner) {
        Arguments arguments;
        std::size_t ordinal = 0;
        for (const GraphValue& value : inner.values()) {
            const bool crosses =
                value.role == GraphValue::Role::Input || value.role == GraphValue::Role::Output;
            arguments.push_back(crosses ? std::optional(argumentOf(value).value_or(ordinal++))
                                        : std::nullopt);
        }
        return arguments;
    }

    /// The first arguments of the same dtype and shape that are left: a record does not say which is which.
    [[nodiscard]] Arguments argumentsByType(const ModelGraph& inner, const program::DelegateCall& call,
                                            const detail::InstructionAccess& access) const {
        Arguments arguments;
        std::vector<bool> used(call.args.size());
        for (const GraphValue& value : inner.values()) {
            const bool input = value.role == GraphValue::Role::Input;
            const std::vector<ValueId>& candidates = input ? access.reads : access.writes;
            std::optional<std::size_t>& found = arguments.emplace_back();
            for (std::size_t i = 0; i < call.args.size() && !found; ++i) {
                const bool crosses = input || value.role == GraphValue::Role::Output;
                if (crosses && !used[i] && std::ranges::contains(candidates, call.args[i]) &&
                    describeValue(call.args[i], value.role).type == value.type) {
                    used[i] = true;
                    found = i;
                }
            }
        }
        return arguments;
    }

    void inlineGraph(const ModelGraph& inner, const Arguments& arguments, const program::DelegateCall& call,
                     const GraphNode& outer) {
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

    /// Groups of the inside, whose parents stand before them, below that of the delegate.
    std::vector<GraphGroupId> addInnerGroups(const ModelGraph& inner, GraphGroupId outer) {
        std::vector<GraphGroupId> ids;
        for (core::GraphGroup group : inner.groups()) {
            group.parent =
                group.parent && group.parent->value < ids.size() ? ids[group.parent->value] : outer;
            ids.push_back(graph.addGroup(std::move(group)));
        }
        return ids;
    }

    /// Values of the inside; its inputs and outputs are those of the call.
    std::vector<GraphValueId> addInnerValues(const ModelGraph& inner, const Arguments& arguments,
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
                ids.push_back(role == GraphValue::Role::Input ? valueOf(id) : written(id));
            }
        }
        return ids;
    }

    const ProgramGraphSources& sources;
    const program::Method& method;
    detail::AccessReader reader;
    InstructionNodes nodes;
    ModelGraph graph;
    detail::ModuleGroups modules;
    executor::ModuleData data;
    std::vector<std::optional<GraphValueId>> current;  ///< by value: what it is after the instructions so far
    std::vector<bool> changing;  ///< by value: an input, or an instruction has written it
    std::map<std::pair<program::ArenaId, std::uint64_t>, GraphValueId> filled;  ///< by place: the last there
    std::map<program::DelegateId, Result<ModelGraph>> described;
    std::optional<detail::UseCounts> recordUses;  ///< of the record's Edge graph
    detail::ControlFlow flow;                     ///< of the chain
    std::map<std::tuple<std::int64_t, std::int64_t, std::string>, GraphGroupId> parts;  ///< of the chain
    std::size_t inside = 0;
    std::size_t chain = 0;
    core::InstructionId at{0};
};

}  // namespace

Result<ModelGraph> programGraph(const ProgramGraphSources& sources) {
    return ProgramGraph(sources).build();
}

Result<ModelGraph> delegateGraph(const ProgramGraphSources& sources, program::DelegateId delegate) {
    if (delegate.value >= sources.method.delegates.size()) {
        return core::fail(
            core::ErrorCode::NotFound,
            fmt::format("method \"{}\" has no delegate {}: it has {}", core::printable(sources.method.name),
                        delegate.value, sources.method.delegates.size()));
    }
    const executor::ModuleData data(sources.program, sources.tensorData);
    const program::Delegate& found = sources.method.delegate(delegate);
    return describe(found, sources, data).transform([&](ModelGraph graph) {
        graph.name = fmt::format("{} {}", found.backend, delegate.value);
        return graph;
    });
}

}  // namespace et::inspector
