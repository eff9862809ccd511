#pragma once

#include "runtime/program/method.h"

#include <cstdint>
#include <vector>

namespace et::inspector::detail {

/// Instructions from one to another, both included. With an offset: steps of a method.
struct StepRange {
    std::int64_t first = 0;
    std::int64_t last = 0;

    [[nodiscard]] bool contains(std::int64_t step) const { return first <= step && step <= last; }
};

/// Two parts of a chain of which a run takes one.
struct Branch {
    program::ValueId condition;
    StepRange whenTrue;
    StepRange whenFalse;  ///< empty (first > last): nothing runs then

    [[nodiscard]] bool separates(std::int64_t one, std::int64_t other) const {
        return (whenTrue.contains(one) && whenFalse.contains(other)) ||
               (whenTrue.contains(other) && whenFalse.contains(one));
    }
};

struct ControlFlow {
    std::vector<StepRange> loops;  ///< that jumps back repeat; in order, nested ones merged
    std::vector<Branch> branches;  ///< in order: those inside of others come later
};

/// Of one chain, read off its jumps. Of more branches than any model has, those that come first.
[[nodiscard]] ControlFlow controlFlowOf(const program::Method& method, const program::Chain& chain);

}  // namespace et::inspector::detail
