#pragma once

#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace et::inspector::detail {

/// Puts a row into a tensor that a loop fills, which then has as many rows as were put there: nothing of what
/// was in its memory before counts.
inline constexpr std::string_view appendingOperator = "executorch_prim::et_copy_index";

/// Whether an operator of this name ("aten::copy_") writes into its first argument.
[[nodiscard]] bool updatesFirst(std::string_view name);

/// What one instruction does with the values of its method. Lists stand for their items, too.
struct InstructionAccess {
    std::vector<program::ValueId> reads;
    std::vector<program::ValueId> writes;  ///< one that is updated in place is among the reads as well
    /// A value that has the memory of another from here on: first whose, then which.
    std::optional<std::pair<program::ValueId, program::ValueId>> alias{};
};

/// Tells what is read and what is written, which the format does not. Kernel calls end in their result, which
/// is the out argument again where the operator has one; of an operator that updates in place ("aten::copy_")
/// the first argument is written, too ("executorch_prim::et_copy_index" has no other result). Outputs of a
/// delegate call are its last arguments that nothing has written before.
class AccessReader {
  public:
    explicit AccessReader(const program::Method& method);

    /// Of the next instruction: all of a method come in their order. Errors: Limit (lists that a damaged file
    /// repeats beyond all measure).
    [[nodiscard]] core::Result<InstructionAccess> next(const program::Instruction& instruction);

  private:
    void read(const program::KernelCall& call, InstructionAccess& access);
    void read(const program::DelegateCall& call, InstructionAccess& access);
    void read(const program::MoveCall& call, InstructionAccess& access);
    void read(const program::JumpFalseCall& call, InstructionAccess& access);
    void read(const program::FreeCall& call, InstructionAccess& access);
    void add(program::ValueId id, std::vector<program::ValueId>& to);

    const program::Method& method;
    std::vector<bool> written;  ///< by value: something is in it
    std::size_t named = 0;      ///< values so far, repeats counted
};

}  // namespace et::inspector::detail
