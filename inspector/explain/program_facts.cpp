#include "inspector/explain/program_facts.h"

#include "inspector/explain/delegate_facts.h"
#include "inspector/fit/kernel_use.h"
#include "inspector/fit/pools.h"
#include "inspector/join/instruction_nodes.h"
#include "inspector/memory/memory_text.h"
#include "inspector/names/python_stack.h"
#include "runtime/core/scalar_type.h"
#include "runtime/executor/instruction_name.h"
#include "runtime/program/constant_method.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <variant>

namespace et::inspector {
namespace {

using program::Method;
using program::Program;
using program::TensorInfo;

constexpr std::size_t maxListed = 8;

std::optional<std::int64_t> numberOf(const Facts& facts, std::string_view name) {
    const auto found = facts.find(name);
    if (found == facts.end()) {
        return std::nullopt;
    }
    std::int64_t value = 0;
    const char* const end = std::to_address(found->second.end());
    const auto [at, error] = std::from_chars(std::to_address(found->second.begin()), end, value);
    return error == std::errc() && at == end ? std::optional(value) : std::nullopt;
}

void put(Facts& facts, std::string_view name, std::string text) {
    facts.insert_or_assign(std::string(name), std::move(text));
}

std::string listed(const std::vector<std::string>& items) {
    const std::size_t shown = std::min(items.size(), maxListed);
    std::string out =
        fmt::format("{}", fmt::join(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
    return items.size() > shown ? out + fmt::format(", … {} in total", items.size()) : out;
}

std::string orderText(const TensorInfo& tensor) {
    const bool isPlain = std::ranges::is_sorted(tensor.dimOrder);
    return isPlain ? std::string() : fmt::format(", dim order ({})", fmt::join(tensor.dimOrder, ", "));
}

std::string valueDescription(const Method& method, program::ValueId id) {
    const TensorInfo* const tensor = method.value(id).as<TensorInfo>();
    return tensor == nullptr ? executor::valueText(method, id) : tensorText(*tensor) + orderText(*tensor);
}

/// The method that the log names, or else the first that has instructions.
const Method* selectMethod(const Program& program, const Facts& facts) {
    if (const auto name = facts.find("method"); name != facts.end()) {
        if (const Method* const found = program.findMethod(name->second)) {
            return found;
        }
    }
    const auto found = std::ranges::find_if_not(
        program.methods, [](const Method& each) { return program::isConstantMethod(each); });
    return found == program.methods.end() ? nullptr : &*found;
}

void addFile(const ExplainedProgram& explained, Facts& facts) {
    const Program& program = *explained.program;
    put(facts, "program.name", core::printable(explained.name));
    put(facts, "program.bytes", std::to_string(program.bytes.size()));
    if (program.bytes.size() >= 8) {
        std::string identifier;
        for (std::size_t i = 4; i < 8; ++i) {
            identifier += static_cast<char>(program.bytes[i]);
        }
        put(facts, "program.identifier", core::printable(identifier));
    }
    std::vector<std::string> methods;
    for (const Method& method : program.methods) {
        methods.push_back(core::printable(method.name));
    }
    put(facts, "program.methods", listed(methods));
    if (const auto name = facts.find("method"); name != facts.end()) {
        put(facts, "program.method", program.findMethod(name->second) == nullptr ? "no" : "yes");
    }
    if (!program.segments.empty()) {
        std::uint64_t bytes = 0;
        for (const program::Segment& segment : program.segments) {
            bytes += segment.data.size();
        }
        put(facts, "program.segments",
            fmt::format("{} segments with {} bytes", program.segments.size(), bytes));
    }
    put(facts, "program.namedData", fmt::format("{} named blobs", program.namedData.size()));
    put(facts, "program.constants",
        program.inlineConstants.empty() ? "constants in segments" : "constants inside the tables");
}

void addContextLength(const Program& program, Facts& facts) {
    std::vector<std::string> found;
    for (const program::ProgramConstant& constant : program::programConstants(program)) {
        if (const auto number = constant.number();
            number && (constant.name == "get_max_context_len" || constant.name == "get_max_seq_len")) {
            found.push_back(fmt::format("{} = {}", constant.name, *number));
        }
    }
    if (!found.empty()) {
        put(facts, "program.contextLength", listed(found));
    }
}

void addDelegates(const Method& method, Facts& facts) {
    std::map<std::string, std::size_t> counts;
    for (const program::Delegate& delegate : method.delegates) {
        ++counts[core::printable(delegate.backend)];
    }
    std::vector<std::string> texts;
    for (const auto& [backend, count] : counts) {
        texts.push_back(fmt::format("{} ({} delegate{})", backend, count, count == 1 ? "" : "s"));
    }
    put(facts, "program.backends", texts.empty() ? "none" : listed(texts));
    if (const auto backend = facts.find("backend"); backend != facts.end()) {
        put(facts, "program.backend", counts.contains(backend->second) ? "yes" : "no");
    }
}

void addPools(const Method& method, Facts& facts) {
    const PoolNeeds needs = computePools(method);
    std::vector<std::string> pools;
    for (std::size_t i = 0; i < needs.arenas.size(); ++i) {
        if (needs.arenas[i].planned > 0) {
            pools.push_back(fmt::format("{} bytes in pool {}", needs.arenas[i].planned, i + 1));
        }
    }
    put(facts, "program.pools", pools.empty() ? "nothing" : listed(pools));
    put(facts, "program.load32", fmt::format("{} bytes", needs.load32.method));
    put(facts, "program.load64", fmt::format("{} bytes", needs.load64.method));
    if (needs.delegateScratch > 0) {
        put(facts, "program.scratch", fmt::format("{} bytes", needs.delegateScratch));
    }
}

void addInputs(const Method& method, Facts& facts) {
    std::vector<std::string> inputs;
    bool hasScalar = false;
    for (const program::ValueId id : method.inputs) {
        inputs.push_back(valueDescription(method, id));
        const TensorInfo* const tensor = method.value(id).as<TensorInfo>();
        hasScalar = hasScalar || (tensor != nullptr && tensor->sizes.empty());
    }
    put(facts, "program.inputs", inputs.empty() ? "none" : listed(inputs));
    put(facts, "program.scalarInput", hasScalar ? "yes" : "no");
    std::vector<std::string> outputs;
    for (const program::ValueId id : method.outputs) {
        outputs.push_back(valueDescription(method, id));
    }
    put(facts, "program.outputs", outputs.empty() ? "none" : listed(outputs));
    const auto input = numberOf(facts, "input");
    if (!input || *input < 0 || static_cast<std::size_t>(*input) >= method.inputs.size()) {
        return;
    }
    const program::ValueId id = method.inputs[static_cast<std::size_t>(*input)];
    put(facts, "program.input", valueDescription(method, id));
    if (const TensorInfo* const tensor = method.value(id).as<TensorInfo>()) {
        put(facts, "program.input.static", tensor->dynamism == program::ShapeDynamism::Static ? "yes" : "no");
        const auto dim = numberOf(facts, "dim");
        const auto old = numberOf(facts, "old");
        if (dim && old && *dim >= 0 && static_cast<std::size_t>(*dim) < tensor->sizes.size()) {
            put(facts, "program.input.matches",
                tensor->sizes[static_cast<std::size_t>(*dim)] == *old ? "yes" : "no");
        }
    }
}

std::string instructionsText(const std::vector<core::InstructionId>& instructions, std::string_view method) {
    std::vector<std::string> numbers;
    for (const core::InstructionId id : instructions) {
        numbers.push_back(std::to_string(id.value));
    }
    return fmt::format("instruction{} {} of {}", numbers.size() == 1 ? "" : "s", listed(numbers),
                       core::printable(method));
}

void addOperators(const Method& method, Facts& facts) {
    std::vector<std::string> names;
    std::vector<std::string> half;
    const auto wanted = facts.find("op");
    const std::string op = wanted == facts.end() ? std::string() : wanted->second;
    for (const OperatorUse& use : operatorsOf(method)) {
        names.push_back(core::printable(use.name));
        std::vector<core::InstructionId> instructions;
        for (const KernelUse& each : use.uses) {
            instructions.insert(instructions.end(), each.instructions.begin(), each.instructions.end());
            const bool isHalf = each.dtypes.contains(static_cast<std::int8_t>(core::ScalarType::Half)) ||
                                each.dtypes.contains(static_cast<std::int8_t>(core::ScalarType::BFloat16));
            if (isHalf && !std::ranges::contains(half, use.name)) {
                half.push_back(use.name);
            }
        }
        if (use.name == op && !instructions.empty()) {
            std::ranges::sort(instructions);
            put(facts, "program.operator.where", instructionsText(instructions, method.name));
        }
    }
    put(facts, "program.operators", names.empty() ? "none" : listed(names));
    if (!op.empty() && op.contains("::")) {
        put(facts, "program.operator", facts.contains("program.operator.where") ? "yes" : "no");
    }
    if (!half.empty()) {
        put(facts, "program.halfOperators", "in half precision outside of delegates: " + listed(half));
    }
}

std::vector<program::ValueId> argumentsOf(const program::Instruction& instruction) {
    if (const auto* const kernel = std::get_if<program::KernelCall>(&instruction)) {
        return kernel->args;
    }
    if (const auto* const delegate = std::get_if<program::DelegateCall>(&instruction)) {
        return delegate->args;
    }
    return {};
}

void addPythonLine(const ExplainedProgram& explained, const Method& method, core::InstructionId id,
                   Facts& facts) {
    const InstructionNodes nodes(explained.record, method.name);
    if (const auto frame = ownFrame(stackOf(nodes, method, id))) {
        put(facts, "program.python",
            fmt::format("{}:{}{}{}", core::printable(frame->path), frame->line,
                        frame->code.empty() ? "" : "  ", core::printable(frame->code)));
    }
}

/// The instruction that the log names, "0:18" or a delegate call's 18.
void addInstruction(const ExplainedProgram& explained, const Method& method, Facts& facts) {
    const auto number = numberOf(facts, "instruction");
    const auto chain = numberOf(facts, "chain").value_or(0);
    if (!number || *number < 0 || chain < 0 || static_cast<std::size_t>(chain) >= method.chains.size() ||
        static_cast<std::size_t>(*number) >=
            method.chains[static_cast<std::size_t>(chain)].instructions.size()) {
        return;
    }
    const program::Instruction& instruction =
        method.chains[static_cast<std::size_t>(chain)].instructions[static_cast<std::size_t>(*number)];
    const std::string label = core::printable(executor::instructionLabel(method, instruction));
    if (const auto op = facts.find("op");
        op != facts.end() && op->second.contains("::") && op->second != label) {
        put(facts, "program.note",
            fmt::format("instruction {} of {} is {}, not {}: the log belongs to another program", *number,
                        core::printable(explained.name), label, op->second));
        return;
    }
    put(facts, "program.instruction", std::to_string(*number));
    put(facts, "program.place", fmt::format("{} of {}: {}", *number, core::printable(method.name), label));
    std::vector<std::string> arguments;
    std::set<std::string> orders;
    for (const program::ValueId id : argumentsOf(instruction)) {
        const std::string_view name = executor::argumentName(label, arguments.size());
        arguments.push_back(
            fmt::format("{}{}{}", name, name.empty() ? "" : " ", valueDescription(method, id)));
        if (const TensorInfo* const tensor = method.value(id).as<TensorInfo>();
            tensor != nullptr && !tensor->sizes.empty()) {
            orders.insert(orderText(*tensor).empty() ? "contiguous" : "channels-last");
        }
    }
    put(facts, "program.arguments", fmt::format("arguments: {}", listed(arguments)));
    put(facts, "program.dimOrders", orders.size() > 1 ? "differ" : "same");
    if (const auto* const call = std::get_if<program::DelegateCall>(&instruction)) {
        put(facts, "program.delegate", fmt::format("{} {}", label, call->delegate.value));
        put(facts, "program.delegateId", std::to_string(call->delegate.value));
    }
    addPythonLine(explained, method, core::InstructionId(static_cast<std::int32_t>(*number)), facts);
}

void addExternal(const Method& method, Facts& facts) {
    std::vector<std::string> names;
    for (const program::Value& value : method.values) {
        const TensorInfo* const tensor = value.as<TensorInfo>();
        if (tensor != nullptr && tensor->initialData == program::InitialData::External) {
            names.push_back(core::printable(tensor->name));
        }
    }
    if (!names.empty()) {
        put(facts, "program.external", fmt::format("{} external weights ({})", names.size(), listed(names)));
    }
}

constexpr std::string_view names[] = {
    "program.arguments",     "program.backend",       "program.backends",       "program.bytes",
    "program.constants",     "program.contextLength", "program.data",           "program.dataVerdict",
    "program.delegate",      "program.delegateError", "program.delegateNodes",  "program.dimOrders",
    "program.external",      "program.halfOperators", "program.identifier",     "program.input",
    "program.input.matches", "program.input.static",  "program.inputs",         "program.instruction",
    "program.load32",        "program.load64",        "program.manyDimensions", "program.method",
    "program.method.name",   "program.methods",       "program.name",           "program.namedData",
    "program.node",          "program.note",          "program.operator",       "program.operator.where",
    "program.operators",     "program.outputs",       "program.place",          "program.pools",
    "program.python",        "program.scalarInput",   "program.scratch",        "program.segments",
    "program.specs"};

}  // namespace

std::span<const std::string_view> programFacts() {
    return names;
}

void addProgramFacts(const ExplainedProgram& explained, Facts& facts, bool concernsDelegates) {
    addFile(explained, facts);
    if (explained.data) {
        put(facts, "program.data", core::printable(explained.data->text));
        put(facts, "program.dataVerdict", explained.data->verdict);
    }
    addContextLength(*explained.program, facts);
    const Method* const method = selectMethod(*explained.program, facts);
    if (method == nullptr) {
        return;
    }
    put(facts, "program.method.name", core::printable(method->name));
    addDelegates(*method, facts);
    addPools(*method, facts);
    addInputs(*method, facts);
    addOperators(*method, facts);
    addInstruction(explained, *method, facts);
    addExternal(*method, facts);
    std::optional<program::DelegateId> delegate;
    if (const auto found = numberOf(facts, "program.delegateId")) {
        delegate = program::DelegateId(static_cast<std::uint32_t>(*found));
    }
    addDelegateFacts(*explained.program, *method, delegate, facts);
    if (concernsDelegates && explained.delegateErrors) {
        if (const std::vector<std::string> errors = explained.delegateErrors(); !errors.empty()) {
            put(facts, "program.delegateError", listed(errors));
        }
    }
}

}  // namespace et::inspector
