#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace et::tasks {

/// A data cache, as the system describes it for the first core.
struct DataCache {
    std::string level;        ///< "L1"
    std::uint64_t bytes = 0;  ///< per cache
    bool shared = false;      ///< shared by all cores of a package
};

/// Data caches, smallest first. If the system reports none: 32 KiB and 256 KiB, which nearly all processors
/// have.
[[nodiscard]] std::vector<DataCache> dataCaches();

}  // namespace et::tasks
