#pragma once

#include "inspector/program_diff/detail/constant_comparison.h"
#include "inspector/program_diff/detail/delegate_graphs.h"
#include "inspector/program_diff/detail/step_diff.h"
#include "inspector/program_diff/program_diff.h"
#include "runtime/core/result.h"

#include <vector>

namespace et::inspector::detail {

struct DelegatesDiff {
    std::vector<DelegateDiff> delegates;
    std::vector<ConstantDiff> constants;  ///< weights inside that changed
};

/// The delegates of a method, by the instructions that call them: of two that are partners the first decides
/// which delegate is which. Where the backend describes both, they differ in what it describes, which leaves
/// out debug handles and the order of tables; else in any byte. Errors: Limit.
[[nodiscard]] core::Result<DelegatesDiff> diffDelegates(DelegateGraphs& before, DelegateGraphs& after,
                                                        const AlignedSteps& steps,
                                                        ConstantComparer& comparer);

/// The delegates of a method that one side has.
[[nodiscard]] std::vector<DelegateDiff> loneDelegates(DelegateGraphs& side, Change change);

}  // namespace et::inspector::detail
