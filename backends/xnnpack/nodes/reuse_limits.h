#pragma once

#include "backends/xnnpack/payload/payload.h"

#include <cstddef>
#include <vector>

namespace et::backends::xnnpack {

/// What a runtime of the library keeps from the shapes that it was made with.
struct ReuseLimits {
    std::vector<ValueIndex> fixed;          ///< may not change at all
    std::vector<ValueIndex> fixedChannels;  ///< may change in all but the last dimension
    std::vector<std::size_t> broadcasting;  ///< nodes whose output may take the memory of an input
};

/// For FormTraits::limitReuse: of input 0, nothing may change, or not its channels.
inline void keepInput(const Payload& payload, std::size_t node, ReuseLimits& limits) {
    limits.fixed.push_back(payload.nodes[node].inputs[0]);
}
inline void keepChannels(const Payload& payload, std::size_t node, ReuseLimits& limits) {
    limits.fixedChannels.push_back(payload.nodes[node].inputs[0]);
}

}  // namespace et::backends::xnnpack
