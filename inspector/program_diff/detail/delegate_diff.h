#pragma once

#include "inspector/program_diff/detail/constant_comparison.h"
#include "inspector/program_diff/detail/delegate_graphs.h"
#include "inspector/program_diff/detail/step_diff.h"
#include "inspector/program_diff/program_diff.h"
#include "runtime/core/result.h"

#include <vector>

namespace et::inspector::program_diff::detail {

struct DelegatesDiff {
    std::vector<DelegateDiff> delegates;
    std::vector<ConstantDiff> constants;  ///< changed weights inside the delegate
};

/// Compares the delegates of a method, matched by the instructions that call them: the first pair of matching
/// calls decides. If the backend describes both, they are compared by description, which ignores debug
/// handles and the order of tables; otherwise byte by byte. Errors: Limit.
[[nodiscard]] core::Result<DelegatesDiff> diffDelegates(DelegateGraphs& before, DelegateGraphs& after,
                                                        const AlignedSteps& steps,
                                                        ConstantComparer& comparer);

/// Describes the delegates of a method that only one side has.
[[nodiscard]] std::vector<DelegateDiff> loneDelegates(DelegateGraphs& side, Change change);

}  // namespace et::inspector::program_diff::detail
