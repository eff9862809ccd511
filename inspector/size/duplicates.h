#pragma once

#include "inspector/size/size_map.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace et::inspector {

/// Tensors and blobs with equal bytes at different positions.
struct DuplicateGroup {
    std::uint64_t bytes = 0;          ///< of one
    std::vector<std::size_t> pieces;  ///< indices into SizeMap::pieces; two or more
    /// Bytes saved by storing only one copy.
    [[nodiscard]] std::uint64_t wasted() const { return bytes * (pieces.size() - 1); }
};

/// Display text for why the bytes are repeated: "each delegate has a copy of its own".
[[nodiscard]] std::string whyRepeated(const SizeMap& map, const DuplicateGroup& group);

/// Content that is stored redundantly.
struct RepeatedContent {
    std::vector<DuplicateGroup> duplicates;  ///< the largest waste first
    /// Pieces in which all bytes are equal, usually 0; they could be generated when loading.
    std::vector<std::size_t> uniform;
};

/// Finds repeated content, ignoring pieces shorter than `least` bytes, for which a reference costs as much.
/// Reads every byte at most once, in parallel on all processors, and releases pages of mapped files after
/// reading them.
[[nodiscard]] RepeatedContent repeatedContent(const SizeMap& map, std::uint64_t least = 64);

}  // namespace et::inspector
