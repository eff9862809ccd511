#pragma once

#include "backends/xnnpack/payload/payload.h"

#include <cstddef>
#include <vector>

namespace et::backends::xnnpack {

/// Shapes that a library runtime cannot change after creation.
struct ReuseLimits {
    std::vector<ValueIndex> fixed;          ///< must not change
    std::vector<ValueIndex> fixedChannels;  ///< the last dimension must not change
    std::vector<std::size_t> broadcasting;  ///< nodes whose output may reuse the memory of an input
};

/// For NodeFormInfo::limitReuse: no size of input 0 may change, or not its channels.
inline void keepInput(const Payload& payload, std::size_t node, ReuseLimits& limits) {
    limits.fixed.push_back(payload.nodes[node].inputs[0]);
}
inline void keepChannels(const Payload& payload, std::size_t node, ReuseLimits& limits) {
    limits.fixedChannels.push_back(payload.nodes[node].inputs[0]);
}

}  // namespace et::backends::xnnpack
