#include "app/tasks/sanitize/call_arguments.h"

#include "runtime/core/event_names.h"
#include "runtime/executor/instruction_name.h"
#include "runtime/kernels/operator_schema.h"
#include "runtime/program/instruction_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <variant>

namespace et::tasks {
namespace {

using program::ValueId;

/// Operators whose result is memory with any contents.
bool makesUndefined(std::string_view op) {
    constexpr std::array<std::string_view, 5> names{"aten::empty", "aten::new_empty", "aten::empty_like",
                                                    "dim_order_ops::_empty", "aten::empty_strided"};
    return std::ranges::any_of(names, [op](std::string_view name) { return op.starts_with(name); });
}

std::vector<ValueId> argumentsOf(const program::Instruction& instruction) {
    if (const auto* const kernel = std::get_if<program::KernelCall>(&instruction)) {
        return kernel->args;
    }
    if (const auto* const delegate = std::get_if<program::DelegateCall>(&instruction)) {
        return delegate->args;
    }
    return {};
}

/// The name of an argument in the operator's schema; outs are not part of it.
std::string argumentName(const CheckedInstruction& instruction, const TensorArgument& argument) {
    const auto* const schema = kernels::findSchema(instruction.op);
    std::string_view rest = schema == nullptr ? std::string_view() : schema->arguments;
    rest = rest.substr(0, rest.find("->"));
    for (std::uint32_t i = 0; !rest.empty(); ++i) {
        const std::string_view name = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(name.size() + 1, rest.size()));
        if (i == argument.number) {
            return std::string(name.substr(0, name.find('=')));
        }
    }
    return argument.isWritten && !argument.isRead ? "out" : "";
}

void addTensor(std::vector<TensorArgument>& all, core::Value& value, TensorArgument argument,
               const ValueStorages& storages) {
    argument.tensor = value.as<core::Tensor>();
    if (argument.tensor == nullptr) {
        return;
    }
    // Results are repeated at the end of a call.
    const bool isRepeated = std::ranges::any_of(all, [&](const TensorArgument& each) {
        return each.tensor == argument.tensor && each.isRead == argument.isRead &&
               each.isWritten == argument.isWritten;
    });
    if (isRepeated) {
        return;
    }
    argument.place = argument.tensor->raw();
    argument.capacity = argument.tensor->capacityBytes();
    argument.storage = storages.at(argument.place);
    all.push_back(argument);
}

/// The values in a list of tensors; an empty optional is None.
std::vector<std::optional<ValueId>> itemsOf(const program::Value& value) {
    std::vector<std::optional<ValueId>> items;
    if (const auto* const list = value.as<program::TensorList>()) {
        items.assign(list->items.begin(), list->items.end());
    } else if (const auto* const optionals = value.as<program::OptionalTensorList>()) {
        items = optionals->items;
    }
    return items;
}

}  // namespace

core::Result<std::vector<std::vector<CheckedInstruction>>> checkedInstructions(
    const program::Method& method) {
    std::vector<std::vector<CheckedInstruction>> chains;
    program::AccessReader reader(method);
    for (std::size_t chain = 0; chain < method.chains.size(); ++chain) {
        auto& instructions = chains.emplace_back();
        for (const program::Instruction& each : method.chains[chain].instructions) {
            ET_ASSIGN(program::InstructionAccess access, reader.next(each));
            CheckedInstruction checked{.op = executor::instructionLabel(method, each),
                                       .chain = static_cast<std::int32_t>(chain),
                                       .instruction = static_cast<std::int32_t>(instructions.size()),
                                       .arguments = argumentsOf(each),
                                       .reads = std::move(access.reads),
                                       .writes = std::move(access.writes)};
            std::ranges::sort(checked.reads);
            std::ranges::sort(checked.writes);
            if (const auto* const kernel = std::get_if<program::KernelCall>(&each)) {
                const std::string_view name = method.op(kernel->op).name;
                checked.isView = access.alias.has_value() && !program::updatesFirst(name);
                checked.leavesUndefined = makesUndefined(name);
                if (program::updatesFirst(name)) {
                    checked.alias = access.alias;
                }
            }
            instructions.push_back(std::move(checked));
        }
    }
    return chains;
}

std::vector<TensorArgument> tensorArguments(const program::Method& method,
                                            const CheckedInstruction& instruction,
                                            const executor::GuardedCall& call,
                                            const ValueStorages& storages) {
    std::vector<TensorArgument> all;
    for (std::size_t i = 0; i < std::min(call.arguments.size(), instruction.arguments.size()); ++i) {
        const ValueId id = instruction.arguments[i];
        const auto argumentOf = [&](ValueId value) {
            const bool isDeclared = i < 64 && (call.written >> i & 1U) != 0;
            TensorArgument argument{.number = static_cast<std::uint32_t>(i), .value = value};
            argument.isRead = std::ranges::binary_search(instruction.reads, value);
            argument.isWritten = isDeclared || std::ranges::binary_search(instruction.writes, value);
            argument.isUpdated = isDeclared && argument.isRead;
            return argument;
        };
        addTensor(all, *call.arguments[i], argumentOf(id), storages);
        const auto* const list = call.arguments[i]->as<core::TensorListValue>();
        const auto items = itemsOf(method.value(id));
        for (std::size_t j = 0; list != nullptr && j < std::min(items.size(), list->items.size()); ++j) {
            if (items[j] && list->items[j] != nullptr) {
                TensorArgument argument = argumentOf(*items[j]);
                // No operator updates the tensors of a list.
                argument.isRead = argument.isRead && !argument.isWritten;
                argument.isUpdated = false;
                addTensor(all, *list->items[j], argument, storages);
            }
        }
    }
    return all;
}

MemoryFinding findingAt(MemoryError kind, const program::Method& method,
                        const CheckedInstruction& instruction, const TensorArgument* argument) {
    MemoryFinding finding{.kind = kind,
                          .method = std::string(method.name),
                          .chain = instruction.chain,
                          .instruction = instruction.instruction,
                          .op = instruction.op};
    if (argument != nullptr) {
        finding.argument = argument->number;
        finding.argumentName = argumentName(instruction, *argument);
        finding.value = argument->value.value;
        finding.type = core::describe(*argument->tensor);
    }
    return finding;
}

void setOffset(MemoryFinding& finding, const TensorArgument& argument, std::int64_t offset) {
    const auto width = static_cast<std::int64_t>(std::max<std::size_t>(argument.tensor->elementSize(), 1));
    finding.offset = offset;
    finding.element = offset >= 0 ? offset / width : -((-offset + width - 1) / width);
}

std::string boundsText(std::int64_t offset, std::size_t bytes) {
    return offset < 0 ? fmt::format("{} bytes before the start of {} bytes", -offset, bytes)
                      : fmt::format("{} bytes after the end of {} bytes",
                                    offset - static_cast<std::int64_t>(bytes), bytes);
}

std::string valueText(const program::Method& method, ValueId id) {
    const auto* const info = method.value(id).as<program::TensorInfo>();
    return info == nullptr ? fmt::format("value {}", id.value)
                           : fmt::format("value {} ({} {})", id.value, core::scalarTypeName(info->scalarType),
                                         core::sizesText(info->sizes));
}

}  // namespace et::tasks
