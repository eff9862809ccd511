#pragma once

#include "inspector/program_diff/detail/steps.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace et::inspector::detail {

/// Which steps of two lists are the same. Every step has at most one partner.
struct Alignment {
    std::vector<std::optional<std::size_t>> afterOf;   ///< by step of the list before
    std::vector<std::optional<std::size_t>> beforeOf;  ///< by step of the list after
    std::vector<bool> moved;  ///< by step of the list before: it passes other partners

    void pair(std::size_t before, std::size_t after) {
        afterOf[before] = after;
        beforeOf[after] = before;
    }
};

/// Aligns steps of the same kind, delegates only where what is inside has something in common, preferring
/// those with equal arguments, constants and neighbours along the dataflow. First steps that are unlike all
/// others on their side anchor the rest (the idea of a patience diff), then what lies between two anchors is
/// aligned for the highest sum of likeness. What is left and equal to the last argument has moved. Time grows
/// with the length times a constant, also where all steps are alike.
[[nodiscard]] Alignment align(const StepList& before, const StepList& after);

}  // namespace et::inspector::detail
