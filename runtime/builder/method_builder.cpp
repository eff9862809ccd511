#include "runtime/builder/method_builder.h"

#include "runtime/builder/detail/pytree.h"
#include "runtime/core/dim_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::builder {

using core::Bytes;
using core::ErrorCode;
using core::InstructionId;
using core::Result;
using program::InitialData;
using program::TensorInfo;
using program::ValueId;

namespace {

/// Checks that every value used by an instruction exists.
struct IdCheck {
    std::size_t values;

    bool operator()(const program::KernelCall& call) const { return all(call.args); }
    bool operator()(const program::DelegateCall& call) const { return all(call.args); }
    bool operator()(const program::MoveCall& call) const { return one(call.from) && one(call.to); }
    bool operator()(const program::JumpFalseCall& call) const { return one(call.condition); }
    bool operator()(const program::FreeCall& call) const { return one(call.value); }

    [[nodiscard]] bool one(ValueId id) const { return id.value < values; }
    [[nodiscard]] bool all(const std::vector<ValueId>& ids) const {
        return std::ranges::all_of(ids, [&](ValueId id) { return one(id); });
    }
};

}  // namespace

MethodBuilder::MethodBuilder(std::string_view name) {
    method.name = keep(name);
}

// --- tensors
// ------------------------------------------------------------------------------------------------

ValueId MethodBuilder::input(const TensorSpec& spec, Memory memory) {
    const ValueId id = memory == Memory::Planned ? planned(spec) : raw(describe(spec));
    method.inputs.push_back(id);
    return id;
}

ValueId MethodBuilder::intermediate(const TensorSpec& spec) {
    return planned(spec);
}

ValueId MethodBuilder::constant(const TensorSpec& spec, Bytes data) {
    return addConstant(spec, keep(data));
}

ValueId MethodBuilder::constant(const TensorSpec& spec, Bytes data, std::shared_ptr<const void> owner) {
    return addConstant(spec, keep(data, std::move(owner)));
}

ValueId MethodBuilder::addConstant(const TensorSpec& spec, Bytes data) {
    TensorInfo info = describe(spec);
    checkData(info, data);
    info.initialData = InitialData::Program;
    info.data = data;
    return raw(std::move(info));
}

ValueId MethodBuilder::external(const TensorSpec& spec, std::string_view name) {
    TensorInfo info = describe(spec);
    info.initialData = InitialData::External;
    info.name = keep(name);
    return raw(std::move(info));
}

ValueId MethodBuilder::state(const TensorSpec& spec, Bytes initial, std::string_view name) {
    return addState(spec, keep(initial), name);
}

ValueId MethodBuilder::state(const TensorSpec& spec, Bytes initial, std::shared_ptr<const void> owner,
                             std::string_view name) {
    return addState(spec, keep(initial, std::move(owner)), name);
}

ValueId MethodBuilder::addState(const TensorSpec& spec, Bytes initial, std::string_view name) {
    const ValueId id = planned(spec);
    auto& info = *method.values[id.value].as<TensorInfo>();
    info.name = keep(name);
    if (!initial.empty()) {
        checkData(info, initial);
        info.initialData = InitialData::Program;
        info.data = initial;
    }
    wishes.states.push_back(id.value);
    return id;
}

ValueId MethodBuilder::alias(ValueId other, const TensorSpec& spec) {
    const ValueId id = raw(describe(spec));
    if (other.value < id.value) {
        wishes.aliases[id.value] = other.value;
    } else {
        mistake(fmt::format("expected the alias to be one of {} values, got {}", id.value, other.value));
    }
    return id;
}

TensorInfo MethodBuilder::describe(const TensorSpec& spec) {
    const auto dtype = std::to_underlying(spec.dtype);
    return {.scalarType = dtype,
            .requiresGrad = spec.requiresGrad,
            .dynamism = spec.dynamism,
            .device = {},
            .sizes = spec.sizes,
            .dimOrder = spec.dimOrder.empty() ? core::rowMajorOrder(spec.sizes.size()) : spec.dimOrder,
            .byteSize = core::tensorBytes(dtype, spec.sizes),
            .allocation = {},
            .data = {},
            .name = {}};
}

/// Adds a tensor that finish() places. Unbounded tensors get their memory at run time.
ValueId MethodBuilder::planned(const TensorSpec& spec) {
    const ValueId id = raw(describe(spec));
    if (spec.dynamism != program::ShapeDynamism::Unbounded) {
        wishes.planned[id.value] = spec.arena;
    }
    return id;
}

void MethodBuilder::checkData(const TensorInfo& info, Bytes data) {
    if (info.byteSize && static_cast<std::uint64_t>(*info.byteSize) != data.size()) {
        mistake(fmt::format("expected {} bytes of data for value {}, got {}", *info.byteSize,
                            method.values.size(), data.size()));
    }
}

// --- other values
// -------------------------------------------------------------------------------------------

ValueId MethodBuilder::none() {
    return raw({});
}

ValueId MethodBuilder::integer(std::int64_t number) {
    return raw(number);
}

ValueId MethodBuilder::real(double number) {
    return raw(number);
}

ValueId MethodBuilder::boolean(bool truth) {
    return raw(truth);
}

ValueId MethodBuilder::text(std::string_view text) {
    return raw(keep(text));
}

ValueId MethodBuilder::integers(std::span<const std::int64_t> numbers) {
    std::vector<ValueId> items;
    for (const std::int64_t number : numbers) {
        items.push_back(integer(number));
    }
    return integersOf(std::move(items));
}

ValueId MethodBuilder::integersOf(std::vector<ValueId> items) {
    return raw(program::IntList{std::move(items)});
}

ValueId MethodBuilder::reals(std::vector<double> numbers) {
    return raw(program::DoubleList{std::move(numbers)});
}

ValueId MethodBuilder::booleans(std::vector<bool> truths) {
    return raw(program::BoolList{std::move(truths)});
}

ValueId MethodBuilder::tensors(std::vector<ValueId> items) {
    return raw(program::TensorList{std::move(items)});
}

ValueId MethodBuilder::optionalTensors(std::vector<std::optional<ValueId>> items) {
    return raw(program::OptionalTensorList{std::move(items)});
}

ValueId MethodBuilder::value(const Argument& argument) {
    struct Boxer {
        MethodBuilder& self;
        ValueId operator()(ValueId id) const { return id; }
        ValueId operator()(std::nullptr_t) const { return self.none(); }
        ValueId operator()(bool truth) const { return self.boolean(truth); }
        ValueId operator()(int number) const { return self.integer(number); }
        ValueId operator()(std::int64_t number) const { return self.integer(number); }
        ValueId operator()(double number) const { return self.real(number); }
        ValueId operator()(std::string_view text) const { return self.text(text); }
        ValueId operator()(const std::vector<std::int64_t>& numbers) const { return self.integers(numbers); }
        ValueId operator()(const std::vector<double>& numbers) const { return self.reals(numbers); }
        ValueId operator()(const std::vector<bool>& truths) const { return self.booleans(truths); }
        ValueId operator()(const std::vector<ValueId>& items) const { return self.tensors(items); }
        ValueId operator()(const std::vector<std::optional<ValueId>>& items) const {
            return self.optionalTensors(items);
        }
    };
    return std::visit(Boxer{*this}, argument);
}

ValueId MethodBuilder::raw(program::Value value) {
    method.values.push_back(std::move(value));
    return ValueId(static_cast<std::uint32_t>(method.values.size() - 1));
}

void MethodBuilder::markInput(ValueId id) {
    method.inputs.push_back(id);
}

void MethodBuilder::output(ValueId id, Memory memory) {
    method.outputs.push_back(id);
    if (memory == Memory::Caller) {
        wishes.planned.erase(id.value);
    }
}

// --- instructions
// -------------------------------------------------------------------------------------------

InstructionId MethodBuilder::call(std::string_view op, const Arguments& inputs,
                                  const std::vector<ValueId>& outs) {
    const program::OperatorId id = operatorId(op);
    std::vector<ValueId> args;
    for (const Argument& argument : inputs) {
        args.push_back(value(argument));
    }
    args.insert(args.end(), outs.begin(), outs.end());
    args.push_back(outs.size() == 1 ? outs.front() : tensors(outs));
    return instruction(program::KernelCall{.op = id, .args = std::move(args)});
}

InstructionId MethodBuilder::callFunction(std::string_view op, const Arguments& inputs, ValueId result) {
    const program::OperatorId id = operatorId(op);
    std::vector<ValueId> args;
    for (const Argument& argument : inputs) {
        args.push_back(value(argument));
    }
    args.push_back(result);
    return instruction(program::KernelCall{.op = id, .args = std::move(args)});
}

program::DelegateId MethodBuilder::delegate(std::string_view backend, Bytes payload, bool inSegment,
                                            const std::vector<program::CompileSpec>& specs) {
    program::Delegate made{
        .backend = keep(backend), .payload = keep(payload), .segment = {}, .compileSpecs = {}};
    if (inSegment) {
        made.segment = program::SegmentId();  // numbered by the writer
    }
    for (const program::CompileSpec& spec : specs) {
        made.compileSpecs.push_back({.key = keep(spec.key), .value = keep(spec.value)});
    }
    method.delegates.push_back(std::move(made));
    return program::DelegateId(static_cast<std::uint32_t>(method.delegates.size() - 1));
}

InstructionId MethodBuilder::callDelegate(program::DelegateId delegate, std::vector<ValueId> arguments) {
    return instruction(program::DelegateCall{.delegate = delegate, .args = std::move(arguments)});
}

InstructionId MethodBuilder::move(ValueId from, ValueId to) {
    return instruction(program::MoveCall{.from = from, .to = to});
}

InstructionId MethodBuilder::jumpFalse(ValueId condition) {
    constexpr InstructionId unset(-1);
    return instruction(program::JumpFalseCall{.condition = condition, .destination = unset});
}

void MethodBuilder::setDestination(InstructionId jump, InstructionId destination) {
    const auto index = static_cast<std::size_t>(jump.value);
    auto* made = index < chain.instructions.size()
                     ? std::get_if<program::JumpFalseCall>(&chain.instructions[index])
                     : nullptr;
    if (made == nullptr) {
        mistake(fmt::format("expected instruction {} to be a jump", jump.value));
        return;
    }
    made->destination = destination;
}

InstructionId MethodBuilder::free(ValueId id) {
    return instruction(program::FreeCall{.value = id});
}

InstructionId MethodBuilder::instruction(program::Instruction instruction) {
    const InstructionId id = nextInstruction();
    chain.instructions.push_back(std::move(instruction));
    return id;
}

InstructionId MethodBuilder::nextInstruction() const {
    return InstructionId(static_cast<std::int32_t>(chain.instructions.size()));
}

/// Returns the id of an operator, adding it if new; "aten::add.out" is "aten::add" with overload "out".
program::OperatorId MethodBuilder::operatorId(std::string_view fullName) {
    const auto next = static_cast<std::uint32_t>(method.operators.size());
    const auto [found, isNew] = operators.try_emplace(std::string(fullName), next);
    if (isNew) {
        const std::size_t dot = fullName.find('.');
        const std::string_view overload =
            dot == std::string_view::npos ? std::string_view() : fullName.substr(dot + 1);
        method.operators.push_back({.name = keep(fullName.substr(0, dot)), .overload = keep(overload)});
    }
    return found->second;
}

// --- the rest
// -----------------------------------------------------------------------------------------------

void MethodBuilder::place(ValueId id, program::Allocation allocation) {
    wishes.byHand[id.value] = allocation;
}

void MethodBuilder::setArena(program::ArenaId arena, std::uint64_t bytes, program::Device device) {
    wishes.arenas[arena.value] = {.bytes = bytes, .device = device};
}

std::string_view MethodBuilder::keep(std::string_view text) {
    return text.empty() ? std::string_view() : kept.emplace_back(text);
}

Bytes MethodBuilder::keep(Bytes bytes) {
    return std::as_bytes(
        std::span(keep(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()))));
}

Bytes MethodBuilder::keep(Bytes bytes, std::shared_ptr<const void> owner) {
    owners.push_back(std::move(owner));
    return bytes;
}

void MethodBuilder::mistake(std::string message) {
    if (!firstMistake) {
        firstMistake =
            core::Error{.code = ErrorCode::InvalidArgument, .message = std::move(message), .where = {}};
    }
}

Result<> MethodBuilder::checkIds() const {
    const IdCheck known{method.values.size()};
    const auto missing = [&](std::string_view what) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("expected {} of method {} to be among its {} values", what, method.name,
                                      method.values.size()));
    };
    if (!known.all(method.inputs)) {
        return missing("the inputs");
    }
    if (!known.all(method.outputs)) {
        return missing("the outputs");
    }
    for (std::size_t i = 0; i < chain.instructions.size(); ++i) {
        if (!std::visit(known, chain.instructions[i])) {
            return missing(fmt::format("the operands of instruction {}", i));
        }
    }
    return {};
}

Result<program::Method> MethodBuilder::finish() {
    if (firstMistake) {
        return std::unexpected(*firstMistake);
    }
    ET_TRY(checkIds());
    program::Method made = method;
    made.inputTree = keep(detail::flatInputTree(made.inputs.size()));
    made.outputTree = keep(detail::flatOutputTree(made.outputs.size()));
    made.chains.push_back(chain);
    const auto end = nextInstruction();
    for (program::Instruction& instruction : made.chains.front().instructions) {
        auto* jump = std::get_if<program::JumpFalseCall>(&instruction);
        if (jump != nullptr && jump->destination.value < 0) {
            jump->destination = end;
        }
    }
    ET_TRY(planMethod(made, wishes, strategy));
    return made;
}

}  // namespace et::builder
