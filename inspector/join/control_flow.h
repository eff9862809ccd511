#pragma once

#include "runtime/program/method.h"

#include <cstdint>
#include <vector>

namespace et::inspector::join::detail {

/// Range of instructions, inclusive. With an offset: steps of a method.
struct StepRange {
    std::int64_t first = 0;
    std::int64_t last = 0;

    [[nodiscard]] bool contains(std::int64_t step) const { return first <= step && step <= last; }
};

/// Two alternative parts of a chain.
struct Branch {
    program::ValueId condition;
    StepRange whenTrue;
    StepRange whenFalse;  ///< empty (first > last): nothing runs

    [[nodiscard]] bool separates(std::int64_t one, std::int64_t other) const {
        return (whenTrue.contains(one) && whenFalse.contains(other)) ||
               (whenTrue.contains(other) && whenFalse.contains(one));
    }
};

struct ControlFlow {
    std::vector<StepRange> loops;  ///< repeated by backward jumps; in order, nested ones merged
    std::vector<Branch> branches;  ///< in order; inner ones come after outer ones
};

/// Control flow of one chain, derived from its jumps. Beyond a limit no model reaches, later branches are
/// ignored.
[[nodiscard]] ControlFlow makeControlFlow(const program::Method& method, const program::Chain& chain);

}  // namespace et::inspector::join::detail
