#include "inspector/graph/detail/delegate_insides.h"
#include "inspector/graph/detail/edge_operators.h"
#include "inspector/graph/detail/module_groups.h"
#include "inspector/graph/graph_sources.h"
#include "inspector/join/control_flow.h"
#include "inspector/join/instruction_nodes.h"
#include "runtime/executor/instruction_name.h"
#include "runtime/executor/module_data.h"
#include "runtime/program/instruction_access.h"
#include "runtime/program/training_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace et::inspector {

using core::GraphGroupId;
using core::GraphNode;
using core::GraphValue;
using core::GraphValueId;
using core::ModelGraph;
using core::Result;
using program::ValueId;

namespace {

class ProgramGraph {
  public:
    explicit ProgramGraph(const ProgramGraphSources& from)
        : method(from.method),
          reader(from.method),
          nodes(from.record, from.method.name),
          modules(graph),
          values(from.method, graph),
          delegates(from, nodes, graph, values) {
        addTrainingRoles(from.program);
    }

    Result<ModelGraph> build() {
        graph.name = std::string(method.name);
        findEdges();
        for (chain = 0; chain < method.chains.size(); ++chain) {
            flow = join::detail::makeControlFlow(method, method.chains[chain]);
            parts.clear();
            const auto& instructions = method.chains[chain].instructions;
            for (std::size_t i = 0; i < instructions.size(); ++i) {
                at = core::InstructionId(static_cast<std::int32_t>(i));
                ET_ASSIGN(const program::InstructionAccess access, reader.next(instructions[i]));
                addInstruction(instructions[i], access);
            }
        }
        for (const ValueId output : method.outputs) {
            const GraphValueId id = values.now(output);
            if (graph.value(id).role == GraphValue::Role::Intermediate) {
                graph.setRole(id, GraphValue::Role::Output);
            }
        }
        return std::move(graph);
    }

  private:
    /// Names loss, gradients and parameters of a training method.
    void addTrainingRoles(const program::Program& program) {
        const auto training = program::trainingMethod(program, method);
        if (!training || !*training) {
            return;
        }
        for (const auto& each : (*training)->roles()) {
            values.addAttribute(each.value, {"training", program::roleText(each)});
        }
    }

    [[nodiscard]] std::string nodeName() const {
        return chain == 0 ? fmt::to_string(at.value) : fmt::format("{}.{}", chain, at.value);
    }

    /// Finds the nodes and modules of the first chain, which the record describes.
    void findEdges() {
        if (!nodes.known() || method.chains.empty()) {
            return;
        }
        edgeNodes.resize(method.chains.front().instructions.size());
        for (std::size_t i = 0; i < edgeNodes.size(); ++i) {
            edgeNodes[i] = nodes.nodesOf(core::InstructionId(static_cast<std::int32_t>(i)));
        }
        moduleStacks = graph::detail::modulesByInstruction(edgeNodes);
    }

    void addInstruction(const program::Instruction& instruction, const program::InstructionAccess& access) {
        GraphNode node{
            .name = nodeName(), .kind = executor::instructionLabel(method, instruction), .instruction = at};
        if (chain == 0) {
            node.debugHandles = nodes.handlesOf(at);
        }
        const auto place = static_cast<std::size_t>(at.value);
        const bool isKnown = chain == 0 && place < edgeNodes.size();
        const auto edges = isKnown ? std::move(edgeNodes[place]) : std::vector<const etrecord::Node*>();
        if (isKnown) {
            node.group = modules.groupOf(moduleStacks[place]);
        }
        if (!node.group) {
            node.group = partOf(at.value);
        }
        if (const auto* call = std::get_if<program::DelegateCall>(&instruction)) {
            if (delegates.add(*call, access, edges, node)) {
                return;
            }
        } else if (const auto* kernel = std::get_if<program::KernelCall>(&instruction)) {
            addArguments(*kernel, access, node);
        } else if (const auto* jump = std::get_if<program::JumpFalseCall>(&instruction)) {
            node.attributes.push_back({"when false, jumps to", fmt::to_string(jump->destination.value)});
            if (!values.flows(jump->condition)) {
                node.attributes.push_back({"condition", executor::valueText(method, jump->condition)});
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

    /// If two branches end in moves to one value, consumers after them use either.
    void addOtherBranch(const program::MoveCall& move, GraphNode& node) const {
        const std::optional<GraphValueId>& before = values.before(move.to);
        const auto producer = before ? graph.value(*before).producer : std::nullopt;
        if (producer && graph.node(*producer).kind == node.kind) {
            node.inputs.push_back(*before);
        }
    }

    struct Part {
        join::detail::StepRange range;
        std::string name;
        std::string_view kind;
    };

    /// The branches and loops around an instruction, outermost first.
    [[nodiscard]] std::vector<Part> partsAround(std::int64_t instruction) const {
        std::vector<Part> around;
        for (const join::detail::Branch& branch : flow.branches) {
            if (branch.whenTrue.contains(instruction)) {
                around.push_back(
                    {branch.whenTrue, fmt::format("when v{}", branch.condition.value), "branch"});
            } else if (branch.whenFalse.contains(instruction)) {
                around.push_back(
                    {branch.whenFalse, fmt::format("when not v{}", branch.condition.value), "branch"});
            }
        }
        const auto after =
            std::ranges::upper_bound(flow.loops, instruction, {}, &join::detail::StepRange::first);
        if (after != flow.loops.begin() && (after - 1)->contains(instruction)) {
            around.push_back({*(after - 1), "loop", "loop"});
        }
        std::ranges::stable_sort(around, std::ranges::greater{},
                                 [](const Part& part) { return part.range.last - part.range.first; });
        return around;
    }

    /// Group of the innermost branch or loop.
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

    void link(const program::InstructionAccess& access, GraphNode& node) {
        for (const ValueId id : access.reads) {
            if (values.flows(id)) {
                node.inputs.push_back(values.now(id));
            }
        }
        for (const ValueId id : access.writes) {
            const auto& value = method.value(id);
            const bool list = value.is<program::TensorList>() || value.is<program::OptionalTensorList>();
            if (!list) {
                node.outputs.push_back(values.write(id));
            }
        }
    }

    /// Adds arguments that are not edges, by the operator's argument names.
    void addArguments(const program::KernelCall& call, const program::InstructionAccess& access,
                      GraphNode& node) const {
        const std::string op = method.op(call.op).fullName();
        std::vector<ValueId> results = access.writes;
        std::ranges::sort(results);
        for (std::size_t i = 0; i < call.args.size(); ++i) {
            const ValueId id = call.args[i];
            if (std::ranges::binary_search(results, id) || values.flows(id)) {
                continue;
            }
            const std::string_view name = executor::argumentName(op, i);
            node.attributes.push_back({name.empty() ? fmt::format("argument {}", i) : std::string(name),
                                       executor::valueText(method, id)});
        }
    }

    const program::Method& method;
    program::AccessReader reader;
    InstructionNodes nodes;
    ModelGraph graph;
    graph::detail::ModuleGroups modules;
    std::vector<std::vector<const etrecord::Node*>> edgeNodes;         ///< by instruction of the first chain
    std::vector<std::span<const etrecord::ModuleFrame>> moduleStacks;  ///< likewise
    program::ValueFlow values;
    graph::detail::DelegateInsides delegates;
    join::detail::ControlFlow flow;                                                     ///< of the chain
    std::map<std::tuple<std::int64_t, std::int64_t, std::string>, GraphGroupId> parts;  ///< of the chain
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
    return graph::detail::describeDelegate(found, sources, data).transform([&](ModelGraph described) {
        ModelGraph graph = graph::detail::withEdgeOperators(
            std::move(described), InstructionNodes(sources.record, sources.method.name));
        graph.name = fmt::format("{} {}", found.backend, delegate.value);
        return graph;
    });
}

}  // namespace et::inspector
