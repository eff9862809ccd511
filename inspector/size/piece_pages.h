#pragma once

#include "inspector/size/size_map.h"

#include <algorithm>
#include <cstddef>

namespace et::inspector {

/// Starts asynchronous readahead of a part of a piece's data.
void expectPages(core::Bytes part);

/// Maps a part of a piece's data at once, which avoids a page fault for every few pages.
void fetchPages(core::Bytes part);

/// Releases the pages of a part of a piece's data; later reads fetch them again.
void releasePages(const SizeMap& map, const SizePiece& piece, core::Bytes part);

/// Calls `read` with consecutive parts of a piece's data until it returns false. The first part is small, for
/// callers that may stop early; the second ends at `chunkBytes`, and the following ones have that size,
/// except the last. Parts are released after reading, so large files do not fill the memory, and the next
/// part is read ahead.
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
