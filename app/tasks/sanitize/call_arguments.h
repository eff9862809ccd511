#pragma once

#include "app/tasks/sanitize/memory_finding.h"
#include "app/tasks/sanitize/value_storages.h"
#include "runtime/core/result.h"
#include "runtime/core/tensor.h"
#include "runtime/core/value.h"
#include "runtime/executor/memory_guard.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

/// An instruction, and the values that it reads and writes.
struct CheckedInstruction {
    std::string op{};  ///< operator or backend
    std::int32_t chain = 0;
    std::int32_t instruction = 0;
    std::vector<program::ValueId> arguments{};
    std::vector<program::ValueId> reads{};   ///< sorted
    std::vector<program::ValueId> writes{};  ///< sorted
    bool isView = false;                     ///< its result is a view of its argument
    bool wasChecked = false;                 ///< it ran before without errors
    bool leavesUndefined = false;            ///< its result has no defined contents
    /// Values of an in-place operator that the plan must put at the same address.
    std::optional<std::pair<program::ValueId, program::ValueId>> alias{};

    /// Different for each instruction of a method.
    [[nodiscard]] std::size_t number() const {
        constexpr std::size_t chainFactor = std::size_t{1} << 24U;
        return static_cast<std::size_t>(chain) * chainFactor + static_cast<std::size_t>(instruction);
    }
};

/// The instructions of all chains, by chain and index. Errors: Limit.
[[nodiscard]] core::Result<std::vector<std::vector<CheckedInstruction>>> checkedInstructions(
    const program::Method& method);

/// A tensor argument of a call.
struct TensorArgument {
    core::Tensor* tensor = nullptr;
    std::uint32_t number = 0;  ///< of the argument
    program::ValueId value;
    bool isRead = false;
    bool isWritten = false;
    bool isUpdated = false;                ///< the kernel declares a read argument as changeable
    std::optional<std::size_t> storage{};  ///< empty: not in a region
    std::byte* place = nullptr;            ///< its memory before the call, in the first world
    std::size_t capacity = 0;
};

/// The tensor arguments of a call, including those in lists.
[[nodiscard]] std::vector<TensorArgument> tensorArguments(const program::Method& method,
                                                          const CheckedInstruction& instruction,
                                                          const executor::GuardedCall& call,
                                                          const ValueStorages& storages);

/// A finding with the names of the instruction and of its argument (null: none).
[[nodiscard]] MemoryFinding findingAt(MemoryError kind, const program::Method& method,
                                      const CheckedInstruction& instruction, const TensorArgument* argument);

/// Sets the offset in bytes from the start of an argument, and the index of the element there.
void setOffset(MemoryFinding& finding, const TensorArgument& argument, std::int64_t offset);

/// "4 bytes after the end of 24 bytes".
[[nodiscard]] std::string boundsText(std::int64_t offset, std::size_t bytes);

/// "value 7 (float32 [2, 3])".
[[nodiscard]] std::string valueText(const program::Method& method, program::ValueId id);

}  // namespace et::tasks
