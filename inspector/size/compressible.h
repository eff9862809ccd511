#pragma once

#include "inspector/size/size_map.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace et::inspector {

/// A tensor or blob that would be smaller if its bytes were coded by how often they come.
struct CompressiblePiece {
    std::size_t piece = 0;    ///< into SizeMap::pieces
    double bitsPerByte = 8;   ///< that its bytes carry: their entropy, of each byte of an element for itself
    std::uint64_t saved = 0;  ///< bytes that an entropy coder saves, about
};

/// Those of what a device needs (not of test cases) that save a tenth, and a KiB, or more; the largest saving
/// first. Of large pieces, blocks at equal distances stand for all of it. Code that decodes has to be there
/// to save them.
[[nodiscard]] std::vector<CompressiblePiece> compressiblePieces(const SizeMap& map);

}  // namespace et::inspector
