#include "backends/reference/plan.h"

#include "backends/reference/control_flow.h"
#include "backends/reference/plan_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

namespace et::backends::reference {
namespace {

using core::Error;
using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::Argument;
using etrecord::ExportedGraph;
using etrecord::Node;
using etrecord::ValueRef;

/// Arguments without effect on reference kernels: the graph determines result dtypes, and results are
/// row-major.
constexpr std::array<std::string_view, 5> silentArguments{"dtype", "layout", "device", "pin_memory",
                                                          "memory_format"};

constexpr std::string_view subclassAccess = "export.access_subclass_inner_tensor.default";

Operand constant(ReferenceValue value) {
    return {std::move(value)};
}

bool isNumber(const Argument& argument) {
    return argument.kind.starts_with("as_sym_") || argument.kind == "as_int" || argument.kind == "as_float" ||
           argument.kind == "as_bool";
}

/// Calls `visit` with every slot that an operand reads.
template <class Visit>
void forSlots(const Operand& operand, const Visit& visit) {
    if (const auto* slot = std::get_if<Slot>(&operand.content)) {
        visit(*slot);
    } else if (const auto* list = std::get_if<Operand::List>(&operand.content)) {
        for (const Operand& item : *list) {
            forSlots(item, visit);
        }
    }
}

}  // namespace

Result<std::shared_ptr<const Plan>> PlanMaker::make() {
    if (depth >= maxNesting) {
        return fail(ErrorCode::Limit, fmt::format("subgraphs nest deeper than {}", maxNesting));
    }
    plan->graph = &graph;
    ET_TRY(addInputs());
    for (etrecord::NodeIndex i = 0; i < graph.nodes.size(); ++i) {
        if (auto added = addStep(i); !added) {
            return std::unexpected(atNode(graph.nodes[i], std::move(added).error()));
        }
    }
    for (const Argument& output : graph.outputs) {
        ET_ASSIGN(Operand made, operand(output));
        plan->outputs.push_back(std::move(made));
    }
    planReleases();
    return plan;
}

Result<Slot> PlanMaker::define(std::string_view name) {
    const auto slot = static_cast<Slot>(plan->names.size());
    if (!plan->slots.emplace(name, slot).second) {
        return fail(ErrorCode::InvalidArgument, fmt::format("two nodes produce the value \"{}\"", name));
    }
    plan->names.push_back(name);
    return slot;
}

Result<> PlanMaker::addInputs() {
    for (const etrecord::InputSpec& spec : graph.inputSpecs) {
        if (!spec.target.empty()) {
            subclassNames.emplace(spec.value, spec.target);
        }
    }
    for (const Argument& input : graph.inputs) {
        const auto* ref = std::get_if<ValueRef>(&input.value);
        if (ref == nullptr) {
            ET_ASSIGN(Operand plain, operand(input));
            plan->inputs.push_back(std::move(plain));
            continue;
        }
        ET_ASSIGN(const Slot slot, define(ref->name));
        plan->inputs.push_back({slot});
    }
    return {};
}

Result<> PlanMaker::addStep(etrecord::NodeIndex index) {
    const Node& node = graph.nodes[index];
    ET_ASSIGN(const bool isSubclassTensor, addSubclassTensor(node));
    if (isSubclassTensor) {
        return {};
    }
    Step step;
    step.node = index;
    step.op = resolveOperator(node.target);
    step.control = findControl(node.target);
    if (step.op.row == nullptr && step.control == nullptr) {
        return fail(ErrorCode::Unsupported, "no operator here computes it");
    }
    ET_TRY(bindArguments(node, step));
    ET_TRY(addResults(node, step));
    plan->mutates = plan->mutates || step.op.inPlace || (step.control != nullptr && step.control->mutates);
    plan->steps.push_back(std::move(step));
    return {};
}

/// A tensor inside a parameter has a separate name in the archive.
Result<bool> PlanMaker::addSubclassTensor(const Node& node) {
    if (plainTarget(node.target) != subclassAccess) {
        return false;
    }
    const auto* from = node.inputs.size() != 2 ? nullptr : std::get_if<ValueRef>(&node.inputs[0].value);
    const auto* attribute =
        node.inputs.size() != 2 ? nullptr : std::get_if<std::string>(&node.inputs[1].value);
    const auto* to = node.outputs.size() != 1 ? nullptr : std::get_if<ValueRef>(&node.outputs[0].value);
    const auto known = from == nullptr ? subclassNames.end() : subclassNames.find(from->name);
    if (attribute == nullptr || to == nullptr || known == subclassNames.end()) {
        return fail(ErrorCode::InvalidArgument, "expected a parameter and the name of a tensor in it");
    }
    const std::string name = known->second + "." + *attribute;
    ET_ASSIGN(const Slot slot, define(to->name));
    plan->subclassTensors.push_back({.slot = slot, .name = name});
    subclassNames.emplace(to->name, name);
    return true;
}

Result<> PlanMaker::bindArguments(const Node& node, Step& step) {
    if (step.control != nullptr) {
        for (const Argument& argument : node.inputs) {
            const bool isModule = step.control->takesModule && step.operands.empty();
            ET_ASSIGN(Operand made, isModule ? loweredModule(argument) : operand(argument));
            step.operands.push_back(std::move(made));
        }
        return {};
    }
    useScalarTwin(node, step);
    return bindDeclared(node, signatureOf(*step.op.row), step);
}

/// `x + 2` is exported as add.Tensor with a number: uses the equivalent Scalar overload, or converts the
/// number to a tensor.
void PlanMaker::useScalarTwin(const Node& node, Step& step) const {
    constexpr std::string_view tensorOverload = ".Tensor";
    const std::string_view name = step.op.row->name;
    const auto other = std::ranges::find(node.inputs, "other", &Argument::name);
    if (other == node.inputs.end() || !isNumber(*other) || name.ends_with(".Scalar")) {
        return;
    }
    if (name.ends_with(tensorOverload)) {
        const auto twin =
            resolveOperator(fmt::format("{}.Scalar", name.substr(0, name.size() - tensorOverload.size())));
        if (twin.row != nullptr && !twin.inPlace && !twin.view) {
            step.op.row = twin.row;
            return;
        }
    }
    const auto signature = signatureOf(*step.op.row);
    const auto at = std::ranges::find(signature.arguments, "other", &DeclaredArgument::name);
    if (at != signature.arguments.end() && step.op.row->kernel.ends_with("out") && !name.contains("Scalar")) {
        step.wrapped = static_cast<std::size_t>(at - signature.arguments.begin());
    }
}

Result<> PlanMaker::bindDeclared(const Node& node, const OperatorSignature& signature, Step& step) {
    std::vector<std::optional<Operand>> bound(signature.arguments.size());
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const Argument& argument = node.inputs[i];
        const auto declared = std::ranges::find(signature.arguments, argument.name, &DeclaredArgument::name);
        const bool byPosition = argument.name.empty() && i < bound.size();
        if (!byPosition && declared == signature.arguments.end()) {
            if (std::ranges::contains(silentArguments, argument.name)) {
                continue;
            }
            return fail(ErrorCode::Unsupported,
                        fmt::format("its argument \"{}\" is not known", argument.name));
        }
        ET_ASSIGN(bound[byPosition ? i : static_cast<std::size_t>(declared - signature.arguments.begin())],
                  operand(argument));
    }
    for (std::size_t i = 0; i < bound.size(); ++i) {
        const DeclaredArgument& declared = signature.arguments[i];
        if (!bound[i] && !declared.hasDefault) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("its argument \"{}\" is missing", declared.name));
        }
        step.operands.push_back(bound[i] ? *std::move(bound[i]) : constant(declared.defaultValue));
    }
    return {};
}

Result<> PlanMaker::addTensorResult(std::string_view name, StepResult& result) {
    const auto meta = graph.tensors.find(name);
    if (meta != graph.tensors.end() && core::scalarType(meta->second.scalarType)) {
        result.kind.dtypes.push_back(computed(static_cast<core::ScalarType>(meta->second.scalarType)));
    } else if (result.kind.kind == ResultKind::Kind::Tensors) {
        return fail(ErrorCode::InvalidArgument, fmt::format("the tensor \"{}\" has no known dtype", name));
    } else {
        result.kind.kind = ResultKind::Kind::None;
    }
    ET_ASSIGN(const Slot slot, define(name));
    result.slots.emplace_back(slot);
    return {};
}

Result<> PlanMaker::addResults(const Node& node, Step& step) {
    for (const Argument& output : node.outputs) {
        StepResult result;
        if (const auto* list = std::get_if<std::vector<std::optional<ValueRef>>>(&output.value)) {
            result.kind.kind = ResultKind::Kind::Tensors;
            for (const auto& item : *list) {
                if (!item) {
                    return fail(ErrorCode::InvalidArgument, "a result without a name");
                }
                ET_TRY(addTensorResult(item->name, result));
            }
        } else if (const auto* ref = std::get_if<ValueRef>(&output.value); ref != nullptr) {
            const bool isTensor = output.kind == "as_tensor" || output.kind == "as_optional_tensor";
            result.kind.kind = isTensor ? ResultKind::Kind::Tensor : ResultKind::Kind::Number;
            if (isTensor) {
                ET_TRY(addTensorResult(ref->name, result));
            } else {
                ET_ASSIGN(const Slot slot, define(ref->name));
                result.slots.emplace_back(slot);
            }
        } else if (output.kind.starts_with("as_sym_") || output.kind == "as_int") {
            result.kind.kind = ResultKind::Kind::Number;
        }
        step.kinds.push_back(result.kind);
        step.results.push_back(std::move(result));
    }
    return {};
}

/// Views are recomputed when their memory is written, so a graph with in-place writes keeps all values.
void PlanMaker::planReleases() {
    if (plan->mutates) {
        return;
    }
    std::vector<bool> used(plan->names.size(), false);
    for (const Operand& output : plan->outputs) {
        forSlots(output, [&](Slot slot) { used[slot] = true; });
    }
    for (Step& step : plan->steps | std::views::reverse) {
        for (const Operand& operand : step.operands) {
            forSlots(operand, [&](Slot slot) {
                if (!used[slot]) {
                    used[slot] = true;
                    step.lastUses.push_back(slot);
                }
            });
        }
        for (const StepResult& result : step.results) {
            for (const auto& slot : result.slots) {
                if (slot && !used[*slot]) {
                    step.lastUses.push_back(*slot);
                }
            }
        }
    }
}

Result<std::shared_ptr<const Plan>> makePlan(const ExportedGraph& graph, const ComputedType& computed) {
    return PlanMaker(graph, computed, 0).make();
}

Error atNode(const Node& node, Error error) {
    const std::string start =
        fmt::format("node {} ({}): ", core::printable(node.name), core::printable(node.op));
    if (!error.message.starts_with(start)) {
        error.message.insert(0, start);
    }
    return error;
}

}  // namespace et::backends::reference
