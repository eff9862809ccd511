#pragma once

#include "inspector/join/control_flow.h"
#include "inspector/memory/memory_timeline.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace et::inspector::detail {

inline constexpr Step never = std::numeric_limits<Step>::max();

/// When instructions use a value.
struct ValueUse {
    Step firstRead = never;
    Step firstWrite = never;
    Step last = -1;
    bool appended = false;  ///< the first write is of an operator that fills it row by row, in a loop
    bool changed = false;   ///< the first write is of another operator that works in place on it

    [[nodiscard]] bool used() const { return firstRead != never || firstWrite != never; }
    [[nodiscard]] Step first() const { return firstRead < firstWrite ? firstRead : firstWrite; }
    /// Something is read that no instruction has put there: before the first write, or by it, as what works
    /// in place does.
    [[nodiscard]] bool readsOld() const {
        return firstRead < firstWrite || (firstRead == firstWrite && changed);
    }
    void cover(const ValueUse& other);
};

struct MethodUses {
    std::vector<ValueUse> values;
    std::vector<InstructionPlace> steps;
    std::vector<std::string> stepNames;
    std::vector<std::pair<program::ValueId, program::ValueId>> views;  ///< whose memory, who has it, too
    std::vector<std::pair<program::ValueId, program::ValueId>> moves;  ///< from, to
    std::vector<StepRange> loops;  ///< that jumps back repeat; in order, apart from one another
    std::vector<Branch> branches;
};

/// Walks through the instructions. Errors: Limit (as AccessReader).
[[nodiscard]] core::Result<MethodUses> usesOf(const program::Method& method);

}  // namespace et::inspector::detail
