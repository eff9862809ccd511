#pragma once

#include "inspector/join/control_flow.h"
#include "inspector/memory/memory_timeline.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace et::inspector::memory::detail {

inline constexpr Step never = std::numeric_limits<Step>::max();

/// The first and last steps at which instructions use a value.
struct ValueUse {
    Step firstRead = never;
    Step firstWrite = never;
    Step last = -1;
    bool appended = false;  ///< the first write is by an operator that appends rows in a loop
    bool changed = false;   ///< the first write is by another in-place operator

    [[nodiscard]] bool used() const { return firstRead != never || firstWrite != never; }
    [[nodiscard]] Step first() const { return firstRead < firstWrite ? firstRead : firstWrite; }
    /// True if a read sees contents that no instruction wrote: before the first write, or in an in-place
    /// first write.
    [[nodiscard]] bool readsOld() const {
        return firstRead < firstWrite || (firstRead == firstWrite && changed);
    }
    void cover(const ValueUse& other);
};

/// A move, after which both values are the same tensor.
struct ValueMove {
    program::ValueId from;
    program::ValueId to;
    Step step = 0;
};

struct MethodUses {
    std::vector<ValueUse> values;
    std::vector<ChainPosition> steps;
    std::vector<std::string> stepNames;
    std::vector<std::pair<program::ValueId, program::ValueId>> views;  ///< pairs of memory owner and alias
    std::vector<ValueMove> moves;                                      ///< in step order
    std::vector<join::detail::StepRange> loops;  ///< ranges that backward jumps repeat; sorted and disjoint
    std::vector<join::detail::Branch> branches;
};

/// Collects the uses of all instructions. Errors: Limit (as AccessReader).
[[nodiscard]] core::Result<MethodUses> usesOf(const program::Method& method);

}  // namespace et::inspector::memory::detail
