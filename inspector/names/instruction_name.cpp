#include "inspector/names/instruction_name.h"

#include <variant>

namespace et::inspector::names::detail {

std::string instructionLabel(const program::Method& method, const program::Instruction& instruction) {
    if (const auto* call = std::get_if<program::KernelCall>(&instruction)) {
        return method.op(call->op).fullName();
    }
    if (const auto* call = std::get_if<program::DelegateCall>(&instruction)) {
        return std::string(method.delegate(call->delegate).backend);
    }
    return std::string(program::instructionName(instruction));
}

}  // namespace et::inspector::names::detail
