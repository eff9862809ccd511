#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace et::app {

/// A cache for data, as the system describes that of the first core.
struct DataCache {
    std::string level;        ///< "L1"
    std::uint64_t bytes = 0;  ///< of one cache
    bool shared = false;      ///< all cores of a package use the same
};

/// From the smallest. Where the system says nothing: 32 KiB and 256 KiB, which nearly all have.
[[nodiscard]] std::vector<DataCache> dataCaches();

}  // namespace et::app
