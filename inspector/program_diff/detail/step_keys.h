#pragma once

#include "inspector/program_diff/detail/steps.h"

#include <cstdint>
#include <vector>

namespace et::inspector::detail {

/// What a step is like, each member a hash that says more than the one before.
struct StepKey {
    std::uint64_t kind = 0;
    std::uint64_t form = 0;      ///< kind, literals, attributes, types of constants and results
    std::uint64_t content = 0;   ///< form, and what the constants hold (large ones: samples of it)
    std::uint64_t above = 0;     ///< the form of the steps that it reads from
    std::uint64_t farAbove = 0;  ///< and of those that they read from
    std::uint64_t below = 0;     ///< the kinds of the steps that read from it
    std::uint64_t all = 0;
};

[[nodiscard]] std::vector<StepKey> keysOf(const StepList& list);

}  // namespace et::inspector::detail
