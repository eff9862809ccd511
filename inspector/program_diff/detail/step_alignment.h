#pragma once

#include "inspector/program_diff/detail/steps.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace et::inspector::program_diff::detail {

/// Matching of the steps of two lists. Every step has at most one partner.
struct Alignment {
    std::vector<std::optional<std::size_t>> afterOf;   ///< by step of the list before
    std::vector<std::optional<std::size_t>> beforeOf;  ///< by step of the list after
    std::vector<bool> moved;  ///< by step of the list before: whether its order relative to other pairs
                              ///< changed

    void pair(std::size_t before, std::size_t after) {
        afterOf[before] = after;
        beforeOf[after] = before;
    }
};

/// Aligns steps of the same kind (delegates only if their contents have something in common), preferring
/// those with equal arguments, constants and neighbours along the dataflow. Steps that are unique on their
/// side become anchors (as in a patience diff); the sections between anchors are aligned for the highest
/// total similarity. Remaining steps that are equal in every argument count as moved. Time is linear in the
/// length, even if all steps are alike.
[[nodiscard]] Alignment align(const StepList& before, const StepList& after);

}  // namespace et::inspector::program_diff::detail
