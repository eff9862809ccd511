#pragma once

#include "inspector/size/size_map.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace et::inspector {

/// Tensors and blobs with the same bytes at several places.
struct DuplicateGroup {
    std::uint64_t bytes = 0;          ///< of one
    std::vector<std::size_t> pieces;  ///< into SizeMap::pieces; two or more
    /// What would go if there were but one.
    [[nodiscard]] std::uint64_t wasted() const { return bytes * (pieces.size() - 1); }
};

/// What is there more than once, the largest waste first. Whatever is shorter than `least` bytes is left out:
/// a reference to it costs as much.
[[nodiscard]] std::vector<DuplicateGroup> duplicatesOf(const SizeMap& map, std::uint64_t least = 64);

/// Pieces of at least `least` bytes in which every byte is the same, most often 0: they could be made when
/// loading.
[[nodiscard]] std::vector<std::size_t> uniformPieces(const SizeMap& map, std::uint64_t least = 64);

}  // namespace et::inspector
