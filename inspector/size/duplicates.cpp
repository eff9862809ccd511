#include "inspector/size/duplicates.h"

#include "inspector/comparison/checksum.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace et::inspector {
namespace {

/// Whether two pieces lie over one another: then they are not there twice.
bool overlap(core::Bytes a, core::Bytes b) {
    constexpr std::less<const std::byte*> before;
    return before(a.data(), b.data() + b.size()) && before(b.data(), a.data() + a.size());
}

}  // namespace

std::vector<DuplicateGroup> duplicatesOf(const SizeMap& map, std::uint64_t least) {
    std::map<std::uint64_t, std::vector<std::size_t>> bySize;
    for (std::size_t i = 0; i < map.pieces.size(); ++i) {
        if (map.pieces[i].data.size() >= std::max<std::uint64_t>(least, 1)) {
            bySize[map.pieces[i].data.size()].push_back(i);
        }
    }
    std::vector<DuplicateGroup> out;
    for (const auto& [bytes, candidates] : bySize) {
        std::map<std::string, DuplicateGroup> same;
        for (const std::size_t piece : candidates) {
            if (candidates.size() == 1) {
                break;
            }
            DuplicateGroup& group = same[sha256(map.pieces[piece].data)];
            group.bytes = bytes;
            const auto isCopy = [&](std::size_t other) {
                return !overlap(map.pieces[other].data, map.pieces[piece].data);
            };
            if (std::ranges::all_of(group.pieces, isCopy)) {
                group.pieces.push_back(piece);
            }
        }
        for (auto& [hash, group] : same) {
            if (group.pieces.size() > 1) {
                out.push_back(std::move(group));
            }
        }
    }
    std::ranges::stable_sort(out, std::greater{}, &DuplicateGroup::wasted);
    return out;
}

std::vector<std::size_t> uniformPieces(const SizeMap& map, std::uint64_t least) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < map.pieces.size(); ++i) {
        const core::Bytes data = map.pieces[i].data;
        // All bytes are the same where each is as the one before it.
        if (data.size() >= std::max<std::uint64_t>(least, 2) &&
            std::memcmp(data.data(), data.data() + 1, data.size() - 1) == 0) {
            out.push_back(i);
        }
    }
    return out;
}

}  // namespace et::inspector
