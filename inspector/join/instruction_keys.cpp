#include "inspector/join/instruction_keys.h"

#include "inspector/names/operator_names.h"

namespace et::inspector::join::detail {

bool isOf(const Block& block, const program::Method& method, bool onlyMethod) {
    return block.method.empty() ? onlyMethod : block.method == method.name;
}

bool isOfInstruction(const Event& event) {
    return event.instruction.value >= 0 && !names::detail::isFrameworkEvent(event.name);
}

const program::Instruction* instructionAt(const program::Method& method, const InstructionKey& place) {
    const auto [chain, instruction] = place;
    if (chain < 0 || static_cast<std::size_t>(chain) >= method.chains.size()) {
        return nullptr;
    }
    const auto& instructions = method.chains[static_cast<std::size_t>(chain)].instructions;
    const auto at = static_cast<std::size_t>(instruction.value);
    return at < instructions.size() ? &instructions[at] : nullptr;
}

}  // namespace et::inspector::join::detail
