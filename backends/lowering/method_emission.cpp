#include "backends/lowering/method_emission.h"

#include "backends/lowering/emission.h"
#include "backends/lowering/emission_control.h"
#include "backends/lowering/emission_decomposed.h"
#include "backends/lowering/emission_order.h"
#include "backends/lowering/node_arguments.h"
#include "backends/lowering/tensor_specs.h"
#include "backends/reference/plan.h"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

namespace et::backends::lowering {

using builder::TensorSpec;
using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::Argument;
using etrecord::InputSpec;
using etrecord::Node;
using etrecord::OutputSpec;
using etrecord::ValueRef;
using program::ValueId;
using reference::ReferenceTensor;

namespace {

constexpr std::size_t maxNesting = 32;  ///< of subgraphs

}  // namespace

Result<> Emission::addBody() {
    ET_ASSIGN(const auto order, emissionOrder(method, parts));
    for (const EmittedMethod::Origin& origin : order) {
        if (const auto* found = std::get_if<const Node*>(&origin)) {
            const Node& node = **found;
            ET_TRY(addNode(node).transform_error(
                [&](core::Error error) { return reference::atNode(node, std::move(error)); }));
        } else {
            ET_TRY(addPart(parts[std::get<std::size_t>(origin)]));
        }
        if (const auto next = into.nextInstruction().value; next > 0) {
            emitted.origins.emplace(core::InstructionId(next - 1), origin);
        }
    }
    return {};
}

Result<> Emission::addInputs() {
    for (const InputSpec& spec : method.graph().inputSpecs) {
        if (isUserInput(spec)) {
            ET_TRY(addInput(spec));
        }
    }
    return {};
}

Result<> Emission::addInput(const InputSpec& spec) {
    if (method.meta(spec.value) != nullptr) {
        ET_ASSIGN(const TensorSpec tensor, specOf(method.graph(), spec.value));
        values.bind(spec.value, into.input(tensor));
        return {};
    }
    const auto number = method.graph().symInts.find(spec.value);
    if (number != method.graph().symInts.end()) {
        const ValueId id = into.integer(number->second.value);
        values.bind(spec.value, id);
        into.markInput(id);
        return {};
    }
    if (spec.argument.kind.starts_with("as_sym_") || std::holds_alternative<ValueRef>(spec.argument.value)) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("input \"{}\" is neither tensor nor integer", core::printable(spec.value)));
    }
    ET_ASSIGN(const builder::Argument plain, values.argument(spec.argument));
    into.markInput(into.value(plain));
    return {};
}

Result<> Emission::addPart(const DelegatedPart& part) {
    std::vector<ValueId> arguments;
    for (const std::string& name : part.inputs) {
        ET_ASSIGN(const ValueId id, values.value(name));
        arguments.push_back(id);
    }
    for (const PartConstant& each : part.constants) {
        arguments.push_back(into.constant({.dtype = each.dtype, .sizes = each.sizes}, each.elements));
    }
    for (const std::string& name : part.outputs) {
        ET_ASSIGN(const ValueId id, values.result(name));
        arguments.push_back(id);
    }
    into.callDelegate(into.delegate(part.backend, part.payload), std::move(arguments));
    return {};
}

Result<> Emission::addNode(const Node& node) {
    if (isComputedAhead(node)) {
        return addComputedAhead(node);
    }
    ET_ASSIGN(const bool isControlFlow, emitControlFlow(*this, node));
    if (isControlFlow) {
        return {};
    }
    ET_ASSIGN(const bool isDecomposed, emitDecomposed(values, kernels, node));
    if (isDecomposed) {
        return {};
    }
    ET_ASSIGN(const KernelChoice choice, chooseKernel(node, kernels));
    ET_ASSIGN(builder::Arguments arguments, values.arguments(choice));
    return call(node, choice, arguments);
}

Result<> Emission::call(const Node& node, const KernelChoice& choice, builder::Arguments& arguments) {
    std::vector<ValueId> outs;
    for (const Argument& output : node.outputs) {
        if (const auto* items = std::get_if<std::vector<std::optional<ValueRef>>>(&output.value)) {
            std::vector<ValueId> tensors;
            for (const auto& item : *items) {
                if (!item) {
                    return fail(ErrorCode::InvalidArgument, "a result without a name");
                }
                ET_ASSIGN(const ValueId id, values.result(item->name));
                tensors.push_back(id);
            }
            outs.push_back(into.tensors(std::move(tensors)));
        } else if (const auto* ref = std::get_if<ValueRef>(&output.value)) {
            if (output.kind != "as_tensor" && output.kind != "as_optional_tensor") {
                const ValueId number = into.integer(0);
                values.bind(ref->name, number);
                into.callFunction(choice.kernel, arguments, number);
                return {};
            }
            ET_ASSIGN(const ValueId id, values.result(ref->name));
            outs.push_back(id);
        } else {
            return fail(ErrorCode::Unsupported,
                        fmt::format("a result of kind {}", core::printable(output.kind)));
        }
    }
    into.call(choice.kernel, arguments, outs);
    return {};
}

Result<> Emission::addOutputs() {
    for (const OutputSpec& spec : method.graph().outputSpecs) {
        if (spec.kind != "user_output") {
            ET_TRY(addMutation(spec));
        }
    }
    for (const OutputSpec& spec : method.graph().outputSpecs) {
        if (spec.kind == "user_output") {
            ET_ASSIGN(const builder::Argument made, values.argument(spec.argument));
            into.output(into.value(made));
        }
    }
    return {};
}

/// Copies the final value of a mutated buffer (or input) back at the end.
Result<> Emission::addMutation(const OutputSpec& spec) {
    if (spec.kind != "buffer_mutation" && spec.kind != "user_input_mutation") {
        return fail(ErrorCode::Unsupported, fmt::format("an output of kind {}", core::printable(spec.kind)));
    }
    for (const InputSpec& input : method.graph().inputSpecs) {
        if (input.value == spec.target || (!spec.target.empty() && input.target == spec.target)) {
            ET_ASSIGN(const ValueId to, values.value(input.value));
            ET_ASSIGN(const ValueId from, values.value(spec.value));
            if (to != from) {
                into.callFunction("aten::copy_", {to, from, false}, to);
            }
            return {};
        }
    }
    return fail(ErrorCode::InvalidArgument, fmt::format("the graph writes to \"{}\", which does not exist",
                                                        core::printable(spec.target)));
}

/// Whether a node is computed now rather than in each run: numbers, and nodes without a kernel.
bool Emission::isComputedAhead(const Node& node) const {
    const auto index = static_cast<NodeIndex>(&node - method.graph().nodes.data());
    const auto* meta = method.meta(firstResult(node));
    const bool number = meta != nullptr && meta->sizes.empty() && node.outputs.size() == 1;
    return computed.isComputable(index) && (number || !chooseKernel(node, kernels));
}

Result<> Emission::addComputedAhead(const Node& node) {
    ET_ASSIGN(const auto made, computed.compute(static_cast<NodeIndex>(&node - method.graph().nodes.data())));
    for (const auto& [name, value] : made) {
        if (method.users(name).empty() && !method.isOutput(name)) {
            continue;
        }
        const core::Tensor& tensor = value.as<ReferenceTensor>()->view;
        const auto& known = *method.graph().tensors.find(name);  // its name outlives this call
        const ValueId constant =
            into.constant({.dtype = tensor.dtype(), .sizes = {tensor.sizes().begin(), tensor.sizes().end()}},
                          tensor.rawBytes());
        values.bind(known.first, constant);
    }
    return {};
}

Result<std::vector<ValueId>> Emission::addSubgraph(const Argument& argument,
                                                   std::span<const ValueId> inputs) {
    const auto* ref = std::get_if<std::shared_ptr<const etrecord::GraphRef>>(&argument.value);
    if (ref == nullptr || *ref == nullptr || depth >= maxNesting) {
        return fail(ErrorCode::InvalidArgument, "expected a graph that is not nested too deeply");
    }
    const etrecord::ExportedGraph& graph = (*ref)->graph;
    ET_ASSIGN(EdgeMethod body, EdgeMethod::subgraph(graph));
    Emission inner(body, {}, kernels, into, emitted, depth + 1);
    if (graph.inputs.size() != inputs.size()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("its graph takes {} inputs, got {}", graph.inputs.size(), inputs.size()));
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        inner.values.bind(valueName(&graph.inputs[i]), inputs[i]);
    }
    ET_TRY(inner.addBody());
    std::vector<ValueId> ids;
    for (const Argument& output : graph.outputs) {
        ET_ASSIGN(const ValueId id, inner.values.value(valueName(&output)));
        ids.push_back(id);
    }
    return ids;
}

Result<EmittedMethod> emitMethod(EdgeMethod& method, std::span<const DelegatedPart> parts,
                                 const kernels::KernelRegistry& kernels, builder::MethodBuilder& into) {
    EmittedMethod emitted;
    Emission emission(method, parts, kernels, into, emitted);
    ET_TRY(emission.addInputs());
    ET_TRY(emission.addBody());
    ET_TRY(emission.addOutputs());
    return emitted;
}

}  // namespace et::backends::lowering
