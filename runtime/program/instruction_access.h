#pragma once

#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace et::program {

/// Appends a row to a tensor that a loop fills. The tensor then has as many rows as were appended; the
/// previous contents of its memory are ignored.
inline constexpr std::string_view appendingOperator = "executorch_prim::et_copy_index";

/// Whether an operator of this name ("aten::copy_") writes into its first argument.
[[nodiscard]] bool updatesFirst(std::string_view name);

/// Values of the method that one instruction reads and writes. Lists include their items.
struct InstructionAccess {
    std::vector<ValueId> reads;
    std::vector<ValueId> writes;  ///< a value updated in place is also in `reads`
    /// A value that shares another's memory from here on: first the owner, then the alias.
    std::optional<std::pair<ValueId, ValueId>> alias{};
};

/// Determines the values that instructions read and write, which the format does not record. Kernel calls end
/// in their result, which repeats the out argument if the operator has one; an in-place operator
/// ("aten::copy_") also writes its first argument ("executorch_prim::et_copy_index" has no other result).
/// Outputs of a delegate call are its last arguments that have not been written before.
class AccessReader {
  public:
    explicit AccessReader(const Method& method);

    /// Reads the next instruction; pass all instructions of a method in order. Errors: Limit (a damaged file
    /// repeats lists excessively).
    [[nodiscard]] core::Result<InstructionAccess> next(const Instruction& instruction);

  private:
    void read(const KernelCall& call, InstructionAccess& access);
    void read(const DelegateCall& call, InstructionAccess& access);
    void read(const MoveCall& call, InstructionAccess& access);
    void read(const JumpFalseCall& call, InstructionAccess& access);
    void read(const FreeCall& call, InstructionAccess& access);
    void add(ValueId id, std::vector<ValueId>& to);

    const Method& method;
    std::vector<bool> written;  ///< by value: whether it has been written
    std::size_t named = 0;      ///< values so far, counting repeats
};

}  // namespace et::program
