#pragma once

#include "backends/leading_block.h"

#include <cstdint>
#include <map>
#include <vector>

namespace et::backends {

/// Which sizes of a delegate's payload become others.
struct PayloadChanges {
    ChangedSizes asked{};      ///< that reshapes and slices ask for
    ChangedSizes constants{};  ///< of constants (elements with the smallest indices stay), groups of channels
    /// Sizes of inputs in the order of memory, by the position of the argument. Of those that are not named,
    /// dimensions change as those of constants do.
    std::map<std::uint32_t, std::vector<std::int64_t>> inputs{};
};

}  // namespace et::backends
