#include "backends/lowering/method_emission.h"

#include "backends/lowering/emission.h"
#include "backends/lowering/emission_order.h"
#include "backends/lowering/permute_elements.h"
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
using reference::ReferenceValue;

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
        values[spec.value] = into.input(tensor);
        return {};
    }
    const auto number = method.graph().symInts.find(spec.value);
    if (number != method.graph().symInts.end()) {
        values[spec.value] = into.integer(number->second.value);
    } else if (spec.argument.kind.starts_with("as_sym_") ||
               std::holds_alternative<ValueRef>(spec.argument.value)) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("input \"{}\" is neither tensor nor integer", core::printable(spec.value)));
    } else {
        ET_ASSIGN(const builder::Argument plain, argument(spec.argument, false));
        const ValueId id = into.value(plain);
        into.markInput(id);
        return {};
    }
    into.markInput(values[spec.value]);
    return {};
}

Result<ValueId> Emission::value(std::string_view name) {
    if (const auto known = values.find(name); known != values.end()) {
        return known->second;
    }
    const InputSpec* spec = method.input(name);
    if (spec == nullptr) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("no input or earlier node produces the value \"{}\"", core::printable(name)));
    }
    ET_ASSIGN(TensorSpec tensor, specOf(method.graph(), name));
    tensor.requiresGrad = false;
    ET_ASSIGN(const auto elements, method.tensor(name));
    core::Bytes bytes = elements.view.rawBytes();
    std::shared_ptr<const void> owner = elements.owner;
    if (!isRowMajor(tensor.dimOrder)) {
        auto moved = std::make_shared<const std::vector<std::byte>>(
            permuteElements(bytes, elements.view.elementSize(), elements.view.sizes(), tensor.dimOrder));
        bytes = *moved;
        owner = std::move(moved);
    }
    const ValueId id = method.isMutated(name) ? into.state(tensor, bytes, std::move(owner), spec->target)
                                              : into.constant(tensor, bytes, std::move(owner));
    values[name] = id;
    return id;
}

Result<> Emission::addPart(const DelegatedPart& part) {
    std::vector<ValueId> arguments;
    for (const std::string& name : part.inputs) {
        ET_ASSIGN(const ValueId id, value(name));
        arguments.push_back(id);
    }
    for (const PartConstant& each : part.constants) {
        arguments.push_back(into.constant({.dtype = each.dtype, .sizes = each.sizes}, each.elements));
    }
    for (const std::string& name : part.outputs) {
        ET_ASSIGN(const ValueId id, result(name));
        arguments.push_back(id);
    }
    into.callDelegate(into.delegate(part.backend, part.payload), std::move(arguments));
    return {};
}

Result<ValueId> Emission::result(std::string_view name, bool grows) {
    ET_ASSIGN(TensorSpec spec, specOf(method.graph(), name));
    if (grows) {
        spec.dynamism = program::ShapeDynamism::Bounded;
    }
    const ValueId id = into.intermediate(spec);
    values[name] = id;
    return id;
}

Result<> Emission::addNode(const Node& node) {
    ET_ASSIGN(const bool done, addWithoutKernel(node));
    if (done) {
        return {};
    }
    ET_ASSIGN(const KernelChoice choice, chooseKernel(node, kernels));
    ET_ASSIGN(builder::Arguments arguments, argumentsOf(choice));
    return call(node, choice, arguments);
}

Result<builder::Arguments> Emission::argumentsOf(const KernelChoice& choice) {
    builder::Arguments arguments;
    for (std::size_t i = 0; i < choice.arguments.size(); ++i) {
        if (const auto* given = std::get_if<const Argument*>(&choice.arguments[i])) {
            ET_ASSIGN(auto made,
                      i == choice.wrapped ? wrapped(**given) : argument(**given, i == choice.optionalItems));
            arguments.push_back(std::move(made));
        } else {
            ET_ASSIGN(auto made, plain(std::get<ReferenceValue>(choice.arguments[i])));
            arguments.push_back(std::move(made));
        }
    }
    return arguments;
}

Result<> Emission::call(const Node& node, const KernelChoice& choice, builder::Arguments& arguments) {
    std::vector<ValueId> outs;
    for (const Argument& output : node.outputs) {
        if (const auto* items = std::get_if<OptionalRefs>(&output.value)) {
            std::vector<ValueId> tensors;
            for (const auto& item : *items) {
                if (!item) {
                    return fail(ErrorCode::InvalidArgument, "a result without a name");
                }
                ET_ASSIGN(const ValueId id, result(item->name));
                tensors.push_back(id);
            }
            outs.push_back(into.tensors(std::move(tensors)));
        } else if (const auto* ref = std::get_if<ValueRef>(&output.value)) {
            if (output.kind != "as_tensor" && output.kind != "as_optional_tensor") {
                values[ref->name] = into.integer(0);
                into.callFunction(choice.kernel, arguments, values[ref->name]);
                return {};
            }
            ET_ASSIGN(const ValueId id, result(ref->name));
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
            ET_ASSIGN(const builder::Argument made, argument(spec.argument, false));
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
            ET_ASSIGN(const ValueId to, value(input.value));
            ET_ASSIGN(const ValueId from, value(spec.value));
            if (to != from) {
                into.callFunction("aten::copy_", {to, from, false}, to);
            }
            return {};
        }
    }
    return fail(ErrorCode::InvalidArgument, fmt::format("the graph writes to \"{}\", which does not exist",
                                                        core::printable(spec.target)));
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
