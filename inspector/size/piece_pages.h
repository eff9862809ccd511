#pragma once

#include "inspector/size/size_map.h"

#include <algorithm>
#include <cstddef>

namespace et::inspector {

/// Tells the system that a part of a piece's data is read next, so that a disk is at work meanwhile.
void expectPages(core::Bytes part);

/// Makes a part of a piece's data readable at once, instead of a page fault for every few pages of it.
void fetchPages(core::Bytes part);

/// Gives a part of a piece's data back to the system; later reads fetch it again.
void releasePages(const SizeMap& map, const SizePiece& piece, core::Bytes part);

/// Calls `read` with one part of a piece's data after the other until it gives false. The first is small,
/// for those who need not see more; the second reaches to `chunkBytes`, and all but the last have that many.
/// What was read is given back to the system, so that large files do not fill the memory, and what comes
/// behind it is on its way from the disk.
template <class Read>
void forEachChunk(const SizeMap& map, const SizePiece& piece, const Read& read) {
    constexpr std::size_t firstBytes = std::size_t{64} << 10U;
    constexpr std::size_t chunkBytes = std::size_t{4} << 20U;
    std::size_t end = 0;
    for (std::size_t at = 0; at < piece.data.size(); at = end) {
        const auto chunkAt = [&](std::size_t from, std::size_t bytes) {
            return piece.data.subspan(from, std::min(bytes, piece.data.size() - from));
        };
        const core::Bytes chunk = chunkAt(at, at == 0 ? firstBytes : chunkBytes - at % chunkBytes);
        end = at + chunk.size();
        if (at > 0 && end < piece.data.size()) {
            expectPages(chunkAt(end, chunkBytes));
        }
        fetchPages(chunk);
        const bool more = read(chunk);
        releasePages(map, piece, chunk);
        if (!more) {
            return;
        }
    }
}

}  // namespace et::inspector
