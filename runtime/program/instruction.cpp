#include "runtime/program/instruction.h"

#include <array>

namespace et::program {

std::string_view instructionName(const Instruction& instruction) {
    static constexpr std::array<std::string_view, std::variant_size_v<Instruction>> names{
        "KernelCall", "DelegateCall", "MoveCall", "JumpFalseCall", "FreeCall"};
    return names[instruction.index()];
}

}  // namespace et::program
