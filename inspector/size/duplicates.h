#pragma once

#include "inspector/size/size_map.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace et::inspector {

/// Tensors and blobs with the same bytes at several places.
struct DuplicateGroup {
    std::uint64_t bytes = 0;          ///< of one
    std::vector<std::size_t> pieces;  ///< into SizeMap::pieces; two or more
    /// What would go if there were but one.
    [[nodiscard]] std::uint64_t wasted() const { return bytes * (pieces.size() - 1); }
};

/// Why the same bytes are there more than once, for people: "each delegate has a copy of its own".
[[nodiscard]] std::string whyRepeated(const SizeMap& map, const DuplicateGroup& group);

/// What content is there more often than it has to be.
struct RepeatedContent {
    std::vector<DuplicateGroup> duplicates;  ///< the largest waste first
    /// Pieces in which every byte is the same, most often 0: they could be made when loading.
    std::vector<std::size_t> uniform;
};

/// Whatever is shorter than `least` bytes is left out: a reference to it costs as much. Reads every byte at
/// most once, with as many threads as the machine has processors, and gives pages of mapped files back as it
/// goes.
[[nodiscard]] RepeatedContent repeatedContent(const SizeMap& map, std::uint64_t least = 64);

}  // namespace et::inspector
