#pragma once

#include "inspector/memory/memory_timeline.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// A tensor of a language model's method that lives from call to call and has a place for each position.
struct CacheTensor {
    program::ValueId value;
    program::Allocation place;
    std::string type;             ///< "float32 [1, 128, 2, 16]"
    std::string_view name;        ///< mostly empty
    std::uint64_t bytes = 0;      ///< at full context
    std::uint64_t positions = 0;  ///< that it has places for
    std::size_t dimension = 0;    ///< that counts them

    [[nodiscard]] std::uint64_t bytesPerToken() const { return positions == 0 ? 0 : bytes / positions; }
};

/// The caches among the state of a method, in the order of the plan. Which of its sizes counts positions is
/// known where an operator writes it at one (llama::update_cache); elsewhere it is the size that equals
/// `context` (0: not known). State without such a size, as a recurrent layer keeps it, is no cache.
[[nodiscard]] std::vector<CacheTensor> cacheTensors(const MemoryTimeline& timeline, std::uint64_t context);

/// Sums over all of them.
struct CacheBytes {
    std::uint64_t reserved = 0;
    std::uint64_t perToken = 0;
};
[[nodiscard]] CacheBytes cacheBytes(const std::vector<CacheTensor>& caches);

}  // namespace et::inspector
