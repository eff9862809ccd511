#pragma once

#include "inspector/size/size_map.h"

#include <algorithm>
#include <cstddef>

namespace et::inspector {

/// Gives a part of a piece's data back to the system; later reads fetch it again.
inline void releasePages(const SizeMap& map, const SizePiece& piece, core::Bytes part) {
    constexpr std::size_t leastBytes = std::size_t{16} << 10U;
    const core::MappedFile* const file = map.files[piece.file].mapped;
    if (file != nullptr && part.size() >= leastBytes) {
        file->release(static_cast<std::size_t>(part.data() - file->bytes().data()), part.size());
    }
}

/// Calls `read` with one part of a piece's data after the other until it gives false. What was read is given
/// back to the system, so that large files do not fill the memory. All parts but the last are a multiple of
/// 4 MiB.
template <class Read>
void forEachChunk(const SizeMap& map, const SizePiece& piece, const Read& read) {
    constexpr std::size_t chunkBytes = std::size_t{4} << 20U;
    for (std::size_t at = 0; at < piece.data.size(); at += chunkBytes) {
        const core::Bytes chunk = piece.data.subspan(at, std::min(chunkBytes, piece.data.size() - at));
        const bool more = read(chunk);
        releasePages(map, piece, chunk);
        if (!more) {
            return;
        }
    }
}

}  // namespace et::inspector
