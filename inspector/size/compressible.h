#pragma once

#include "inspector/size/size_map.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace et::inspector {

/// A tensor or blob that entropy coding of its bytes would reduce.
struct CompressiblePiece {
    std::size_t piece = 0;    ///< into SizeMap::pieces
    double bitsPerByte = 8;   ///< entropy per byte, with the bytes of an element modelled separately
    std::uint64_t saved = 0;  ///< approximate saving of an entropy coder, in bytes
};

/// Returns the pieces required on a device (excluding test cases) that would shrink by at least a tenth and a
/// KiB, the largest saving first. Large pieces are sampled in equidistant blocks. The saving requires a
/// decoder on the device.
[[nodiscard]] std::vector<CompressiblePiece> compressiblePieces(const SizeMap& map);

}  // namespace et::inspector
