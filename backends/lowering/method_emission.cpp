#include "backends/lowering/method_emission.h"

#include "backends/lowering/emission_order.h"
#include "backends/lowering/kernel_choice.h"
#include "backends/lowering/permute_elements.h"
#include "backends/lowering/tensor_specs.h"
#include "backends/reference/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace et::backends::lowering {
namespace {

using builder::TensorSpec;
using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::Argument;
using etrecord::InputSpec;
using etrecord::Node;
using etrecord::OutputSpec;
using etrecord::SymInt;
using etrecord::ValueRef;
using program::ValueId;
using reference::ReferenceValue;

using OptionalRefs = std::vector<std::optional<ValueRef>>;

/// torch.export's numbers of memory formats by the runtime's: preserve, contiguous, channels last.
constexpr std::array<std::int64_t, 5> memoryFormats{0, 0, 2, 3, 1};

class Emission {
  public:
    Emission(EdgeMethod& from, std::span<const DelegatedPart> with, const kernels::KernelRegistry& registry,
             builder::MethodBuilder& to)
        : method(from), parts(with), kernels(registry), into(to) {}

    Result<EmittedMethod> run() {
        ET_TRY(addInputs());
        ET_ASSIGN(const auto order, emissionOrder(method, parts));
        for (const EmittedMethod::Origin& origin : order) {
            if (const auto* index = std::get_if<NodeIndex>(&origin)) {
                const Node& node = method.node(*index);
                ET_TRY(addNode(node).transform_error(
                    [&](core::Error error) { return reference::atNode(node, std::move(error)); }));
            } else {
                ET_TRY(addPart(parts[std::get<std::size_t>(origin)]));
            }
            emitted.origins.emplace(core::InstructionId(into.nextInstruction().value - 1), origin);
        }
        ET_TRY(addOutputs());
        return std::move(emitted);
    }

  private:
    Result<> addInputs() {
        for (const InputSpec& spec : method.graph().inputSpecs) {
            if (isUserInput(spec)) {
                ET_TRY(addInput(spec));
            }
        }
        return {};
    }

    Result<> addInput(const InputSpec& spec) {
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
            return fail(ErrorCode::Unsupported, fmt::format("input \"{}\" is neither tensor nor integer",
                                                            core::printable(spec.value)));
        } else {
            ET_ASSIGN(const builder::Argument plain, argument(spec.argument, false));
            const ValueId id = into.value(plain);
            into.markInput(id);
            return {};
        }
        into.markInput(values[spec.value]);
        return {};
    }

    /// A value of the graph; parameters, buffers and constants are made when somebody first reads them.
    Result<ValueId> value(std::string_view name) {
        if (const auto known = values.find(name); known != values.end()) {
            return known->second;
        }
        const InputSpec* spec = method.input(name);
        if (spec == nullptr) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("no input or node before makes the value \"{}\"", core::printable(name)));
        }
        ET_ASSIGN(TensorSpec tensor, specOf(method.graph(), name));
        tensor.requiresGrad = false;
        ET_ASSIGN(const auto elements, method.tensor(name));
        core::Bytes bytes = elements.view.rawBytes();
        std::vector<std::byte> moved;
        if (!isRowMajor(tensor.dimOrder)) {
            moved =
                permuteElements(bytes, elements.view.elementSize(), elements.view.sizes(), tensor.dimOrder);
            bytes = moved;
        }
        const ValueId id =
            method.isMutated(name) ? into.state(tensor, bytes, spec->target) : into.constant(tensor, bytes);
        values[name] = id;
        return id;
    }

    Result<> addPart(const DelegatedPart& part) {
        std::vector<ValueId> arguments;
        for (const std::string& name : part.inputs) {
            ET_ASSIGN(const ValueId id, value(name));
            arguments.push_back(id);
        }
        for (const std::string& name : part.outputs) {
            ET_ASSIGN(const ValueId id, result(name));
            arguments.push_back(id);
        }
        into.callDelegate(into.delegate(part.backend, part.payload), std::move(arguments));
        return {};
    }

    Result<ValueId> result(std::string_view name) {
        ET_ASSIGN(const TensorSpec spec, specOf(method.graph(), name));
        const ValueId id = into.intermediate(spec);
        values[name] = id;
        return id;
    }

    Result<> addNode(const Node& node) {
        ET_ASSIGN(const KernelChoice choice, chooseKernel(node, kernels));
        builder::Arguments arguments;
        for (std::size_t i = 0; i < choice.arguments.size(); ++i) {
            if (const auto* given = std::get_if<const Argument*>(&choice.arguments[i])) {
                ET_ASSIGN(auto made, i == choice.wrapped ? wrapped(**given)
                                                         : argument(**given, i == choice.optionalItems));
                arguments.push_back(std::move(made));
            } else {
                ET_ASSIGN(auto made, plain(std::get<ReferenceValue>(choice.arguments[i])));
                arguments.push_back(std::move(made));
            }
        }
        return call(node, choice, arguments);
    }

    Result<> call(const Node& node, const KernelChoice& choice, builder::Arguments& arguments) {
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

    /// A number where the kernel takes a tensor.
    Result<builder::Argument> wrapped(const Argument& number) {
        if (const auto* whole = std::get_if<std::int64_t>(&number.value)) {
            return into.constant({.dtype = core::ScalarType::Long, .sizes = {}}, std::span(whole, 1));
        }
        if (const auto* real = std::get_if<double>(&number.value)) {
            const auto single = static_cast<float>(*real);
            return into.constant({.dtype = core::ScalarType::Float, .sizes = {}}, std::span(&single, 1));
        }
        return fail(ErrorCode::Unsupported, "a number that is known only at run time where a tensor belongs");
    }

    // Arguments of a node, one overload an alternative of etrecord::Argument::Value.
    Result<builder::Argument> argument(const Argument& from, bool optionalItems) {
        if (from.kind == "as_memory_format") {
            const auto* format = std::get_if<std::int64_t>(&from.value);
            const bool known =
                format != nullptr && *format >= 0 && std::cmp_less(*format, memoryFormats.size());
            return known ? Result<builder::Argument>(memoryFormats[static_cast<std::size_t>(*format)])
                         : fail(ErrorCode::Unsupported, "an unknown memory format");
        }
        if (const auto* items = std::get_if<OptionalRefs>(&from.value)) {
            return list(*items, optionalItems || from.kind == "as_optional_tensors");
        }
        return std::visit([&](const auto& held) { return this->held(held); }, from.value);
    }

    Result<builder::Argument> list(const OptionalRefs& items, bool optionalItems) {
        std::vector<std::optional<ValueId>> ids;
        for (const auto& item : items) {
            std::optional<ValueId> id;
            if (item) {
                ET_ASSIGN(id, value(item->name));
            }
            ids.push_back(id);
        }
        if (optionalItems) {
            return ids;
        }
        std::vector<ValueId> all;
        for (const auto& id : ids) {
            if (!id) {
                return fail(ErrorCode::Unsupported, "a list of tensors lacks one");
            }
            all.push_back(*id);
        }
        return all;
    }

    Result<builder::Argument> held(std::monostate) { return nullptr; }
    Result<builder::Argument> held(const ValueRef& ref) {
        ET_ASSIGN(const ValueId id, value(ref.name));
        return id;
    }
    Result<builder::Argument> held(std::int64_t number) { return number; }
    Result<builder::Argument> held(double number) { return number; }
    Result<builder::Argument> held(bool truth) { return truth; }
    Result<builder::Argument> held(const std::string& text) { return std::string_view(text); }
    Result<builder::Argument> held(const std::vector<double>& numbers) { return numbers; }
    Result<builder::Argument> held(const std::vector<bool>& truths) { return truths; }
    Result<builder::Argument> held(const std::vector<SymInt>& items) {
        std::vector<ValueId> ids;
        for (const SymInt& item : items) {
            if (item.expression.empty()) {
                ids.push_back(into.integer(item.value));
                continue;
            }
            ET_ASSIGN(const ValueId id, value(item.expression));
            ids.push_back(id);
        }
        return into.integersOf(std::move(ids));
    }
    template <class Other>
    Result<builder::Argument> held(const Other& /*value*/) {
        return fail(ErrorCode::Unsupported,
                    "an argument that no kernel takes (a graph, texts, nested lists)");
    }

    /// A default of the operator's schema.
    Result<builder::Argument> plain(const ReferenceValue& from) {
        if (from.as<std::monostate>() != nullptr) {
            return nullptr;
        }
        if (const auto* whole = from.as<std::int64_t>()) {
            return *whole;
        }
        if (const auto* real = from.as<double>()) {
            return *real;
        }
        if (const auto* truth = from.as<bool>()) {
            return *truth;
        }
        if (const auto* text = from.as<std::string>()) {
            return std::string_view(*text);
        }
        builder::Ints numbers;
        if (const auto* items = from.as<ReferenceValue::List>()) {
            for (const ReferenceValue& item : *items) {
                const auto* number = item.as<std::int64_t>();
                numbers.push_back(number == nullptr ? 0 : *number);
            }
        }
        return numbers;
    }

    Result<> addOutputs() {
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

    /// What a run leaves in a buffer (or in an input) is copied there at the end.
    Result<> addMutation(const OutputSpec& spec) {
        if (spec.kind != "buffer_mutation" && spec.kind != "user_input_mutation") {
            return fail(ErrorCode::Unsupported,
                        fmt::format("an output of kind {}", core::printable(spec.kind)));
        }
        for (const InputSpec& input : method.graph().inputSpecs) {
            if (input.value == spec.target || (!spec.target.empty() && input.target == spec.target)) {
                ET_ASSIGN(const ValueId to, value(input.value));
                ET_ASSIGN(const ValueId from, value(spec.value));
                into.callFunction("aten::copy_", {to, from, false}, to);
                return {};
            }
        }
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("the graph writes to \"{}\", which it does not have", core::printable(spec.target)));
    }

    EdgeMethod& method;
    std::span<const DelegatedPart> parts;
    const kernels::KernelRegistry& kernels;
    builder::MethodBuilder& into;
    std::unordered_map<std::string_view, ValueId> values;
    EmittedMethod emitted;
};

}  // namespace

Result<EmittedMethod> emitMethod(EdgeMethod& method, std::span<const DelegatedPart> parts,
                                 const kernels::KernelRegistry& kernels, builder::MethodBuilder& into) {
    return Emission(method, parts, kernels, into).run();
}

}  // namespace et::backends::lowering
