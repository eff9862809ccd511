#include "inspector/size/compressible.h"

#include "inspector/size/piece_pages.h"
#include "runtime/core/scalar_type.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string_view>

namespace et::inspector {
namespace {

constexpr std::size_t byteValues = 256;
constexpr double bitsOfByte = 8;

/// Element size of a dtype by name; 1 if unknown.
std::size_t elementBytesOf(std::string_view dtype) {
    for (const core::ScalarTypeInfo& each : core::scalarTypes()) {
        if (each.torchName == dtype && each.bytes > 0) {
            return each.bytes;
        }
    }
    return 1;
}

using Counts = std::array<std::uint32_t, byteValues>;

double entropy(const Counts& counts, std::size_t total) {
    double bits = 0;
    for (const std::uint32_t count : counts) {
        if (count > 0) {
            const double share = static_cast<double>(count) / static_cast<double>(total);
            bits -= share * std::log2(share);
        }
    }
    return bits;
}

/// Entropy per byte of `data`, with elements of `width` bytes.
double bitsPerByte(core::Bytes data, std::size_t width) {
    constexpr std::size_t blockBytes = 4096;
    constexpr std::size_t blocks = 256;
    constexpr std::size_t widest = 16;
    std::array<Counts, widest> planes{};
    width = std::min(width, widest);
    std::size_t elements = 0;
    const auto count = [&](core::Bytes block) {
        for (std::size_t at = 0; at + width <= block.size(); at += width) {
            for (std::size_t i = 0; i < width; ++i) {
                ++planes[i][static_cast<std::size_t>(block[at + i])];
            }
            ++elements;
        }
    };
    if (data.size() <= blockBytes * blocks) {
        count(data);
    } else {
        // Multiples of the block size, which is divisible by all element sizes.
        const std::size_t step = data.size() / blocks / blockBytes * blockBytes;
        for (std::size_t i = 0; i < blocks; ++i) {
            count(data.subspan(i * step, blockBytes));
        }
    }
    if (elements == 0) {
        return bitsOfByte;
    }
    double sum = 0;
    for (std::size_t i = 0; i < width; ++i) {
        sum += entropy(planes[i], elements);
    }
    return sum / static_cast<double>(width);
}

}  // namespace

std::vector<CompressiblePiece> compressiblePieces(const SizeMap& map) {
    // Small data look regular by chance, and the code table costs as much as it saves.
    constexpr std::size_t leastBytes = 4096;
    constexpr double leastShare = 0.1;
    constexpr std::uint64_t leastSaved = 1024;
    std::vector<CompressiblePiece> out;
    for (std::size_t i = 0; i < map.pieces.size(); ++i) {
        const SizePiece& piece = map.pieces[i];
        if (piece.data.size() < leastBytes || piece.kind == SizeKind::TestTensor) {
            continue;
        }
        const double bits = bitsPerByte(piece.data, elementBytesOf(piece.dtype()));
        releasePages(map, piece, piece.data);
        const double share = 1 - bits / bitsOfByte;
        const auto saved = static_cast<std::uint64_t>(share * static_cast<double>(piece.data.size()));
        if (share >= leastShare && saved >= leastSaved) {
            out.push_back({.piece = i, .bitsPerByte = bits, .saved = saved});
        }
    }
    std::ranges::stable_sort(out, std::greater{}, &CompressiblePiece::saved);
    return out;
}

}  // namespace et::inspector
