#pragma once

#include "inspector/memory/memory_timeline.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// A tensor of a language model's method that keeps its contents between calls and has an entry per position.
struct CacheTensor {
    program::ValueId value;
    program::Allocation place;
    std::string type;             ///< "float32 [1, 128, 2, 16]"
    std::string_view name;        ///< mostly empty
    std::uint64_t bytes = 0;      ///< at full context
    std::uint64_t positions = 0;  ///< capacity in positions
    std::size_t dimension = 0;    ///< the dimension that counts positions

    [[nodiscard]] std::uint64_t bytesPerToken() const { return positions == 0 ? 0 : bytes / positions; }
};

/// The caches among the state of a method, in plan order. The dimension that counts positions is known if an
/// operator writes at one (llama::update_cache, index_put of a buffer); otherwise it is the one whose size
/// equals `context` (0: unknown). State without such a dimension, such as that of a recurrent layer, is not a
/// cache.
[[nodiscard]] std::vector<CacheTensor> cacheTensors(const MemoryTimeline& timeline, std::uint64_t context);

/// The number of positions of the smallest cache in which an operator of a method writes at positions;
/// nothing if there is none.
[[nodiscard]] std::optional<std::uint64_t> cachePositions(const program::Method& method);

/// Totals over all caches.
struct CacheBytes {
    std::uint64_t reserved = 0;
    std::uint64_t perToken = 0;
};
[[nodiscard]] CacheBytes cacheBytes(const std::vector<CacheTensor>& caches);

}  // namespace et::inspector
