#pragma once

#include "inspector/program_diff/detail/steps.h"

#include <cstdint>
#include <vector>

namespace et::inspector::program_diff::detail {

/// Hashes that characterize a step, in order of increasing detail.
struct StepKey {
    std::uint64_t kind = 0;
    std::uint64_t form = 0;      ///< kind, literals, attributes, types of constants and results
    std::uint64_t content = 0;   ///< form, and the contents of the constants (large ones are sampled)
    std::uint64_t above = 0;     ///< the form of the steps that it reads from
    std::uint64_t farAbove = 0;  ///< plus the steps that those read from
    std::uint64_t below = 0;     ///< the kinds of the steps that read from it
    std::uint64_t all = 0;
};

[[nodiscard]] std::vector<StepKey> keysOf(const StepList& list);

}  // namespace et::inspector::program_diff::detail
