#include "inspector/events/readable_name.h"
#include "inspector/join/node_fields.h"
#include "inspector/tensors/catalog_builder.h"
#include "runtime/executor/instruction_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace et::inspector {
namespace {

void note(ValueUses& uses, const program::Method& method, program::ValueId value, const ValueUse& use) {
    const auto* const list = method.value(value).as<program::TensorList>();
    if (list == nullptr) {
        uses[value.value].push_back(use);
        return;
    }
    for (const program::ValueId item : list->items) {
        uses[item.value].push_back(use);
    }
}

template <class T>
void addNew(std::vector<T>& to, const T& one) {
    if (!std::ranges::contains(to, one)) {
        to.push_back(one);
    }
}

}  // namespace

ValueUses usesOf(const program::Method& method) {
    ValueUses uses;
    if (method.chains.empty()) {
        return uses;
    }
    const auto& instructions = method.chains.front().instructions;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        const core::InstructionId at{static_cast<std::int32_t>(i)};
        if (const auto* const kernel = std::get_if<program::KernelCall>(&instructions[i])) {
            const std::string op = method.op(kernel->op).fullName();
            for (std::size_t argument = 0; argument < kernel->args.size(); ++argument) {
                note(uses, method, kernel->args[argument], {at, executor::argumentName(op, argument)});
            }
        } else if (const auto* const call = std::get_if<program::DelegateCall>(&instructions[i])) {
            for (const program::ValueId value : call->args) {
                note(uses, method, value, {at, {}});
            }
        }
    }
    return uses;
}

std::string moduleOf(const InstructionNodes& nodes, const std::vector<core::DebugHandle>& handles) {
    const format::Cell cell = inspector::commonModule(nodes.nodesOf(handles));
    const auto* const text = std::get_if<std::string>(&cell);
    return text == nullptr || inspector::isNoModule(*text) ? std::string() : *text;
}

std::string nameOfUse(std::string_view module, std::string_view role) {
    return module.empty() || role.empty() ? std::string(module.empty() ? role : module)
                                          : fmt::format("{}: {}", module, role);
}

void addUses(CatalogTensor& tensor, const std::vector<ValueUse>& uses, const InstructionNodes& nodes) {
    for (const ValueUse& use : uses) {
        addNew(tensor.instructions, use.instruction);
        for (const core::DebugHandle handle : nodes.handlesOf(use.instruction)) {
            addNew(tensor.handles, handle);
        }
    }
    if (!uses.empty() && tensor.module.empty()) {
        tensor.module = moduleOf(nodes, nodes.handlesOf(uses.front().instruction));
    }
    if (!uses.empty() && tensor.name.empty()) {
        tensor.name = nameOfUse(tensor.module, uses.front().argument);
    }
}

}  // namespace et::inspector
