#pragma once

#include "backends/leading_block.h"

#include <cstdint>
#include <map>
#include <vector>

namespace et::backends {

/// Changed sizes of a delegate's payload.
struct PayloadChanges {
    ChangedSizes asked{};      ///< sizes given to reshapes and slices
    ChangedSizes constants{};  ///< of constants (keeping the elements with the smallest indices), groups of
                               ///< channels
    /// Sizes of inputs in memory order, by argument position. Dimensions of other inputs change like those of
    /// constants.
    std::map<std::uint32_t, std::vector<std::int64_t>> inputs{};
};

}  // namespace et::backends
