#include "inspector/size/duplicates.h"

#include "inspector/size/content_digest.h"
#include "inspector/size/piece_pages.h"

#include <algorithm>
#include <atomic>
#include <compare>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace et::inspector {
namespace {

/// What is known of a piece's content. Equal for equal contents of the same size.
struct Content {
    std::optional<std::byte> uniform;  ///< every byte is this one
    ContentDigest digest;              ///< of the others

    auto operator<=>(const Content&) const = default;
};

/// Whether two pieces lie over one another: then they are not there twice.
bool overlap(core::Bytes a, core::Bytes b) {
    constexpr std::less<const std::byte*> before;
    return before(a.data(), b.data() + b.size()) && before(b.data(), a.data() + a.size());
}

/// Calls `work` with each of `items`, in parallel.
template <class Item, class Work>
void forEachParallel(const std::vector<Item>& items, const Work& work) {
    constexpr std::size_t mostThreads = 8;
    const std::size_t count = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1,
                                                      std::min(mostThreads, items.size() + 1));
    std::atomic<std::size_t> next = 0;
    const auto takeAll = [&] {
        for (std::size_t i = next++; i < items.size(); i = next++) {
            work(items[i]);
        }
    };
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < count; ++i) {
        others.emplace_back(takeAll);
    }
    takeAll();
}

/// All bytes are the same where each is as the one before it.
std::optional<std::byte> uniformByte(const SizeMap& map, const SizePiece& piece) {
    std::optional<std::byte> all = piece.data.front();
    forEachChunk(map, piece, [&](core::Bytes chunk) {
        const bool same =
            chunk.front() == *all && std::memcmp(chunk.data(), chunk.data() + 1, chunk.size() - 1) == 0;
        all = same ? all : std::nullopt;
        return same;
    });
    return all;
}

class ContentReader {
  public:
    ContentReader(const SizeMap& from, std::uint64_t leastBytes) : map(from), contents(from.pieces.size()) {
        for (std::size_t i = 0; i < map.pieces.size(); ++i) {
            if (map.pieces[i].data.size() >= std::max<std::uint64_t>(leastBytes, 2)) {
                pieces.push_back(i);
            }
        }
    }

    RepeatedContent read() {
        forEachParallel(pieces,
                        [&](std::size_t i) { contents[i].uniform = uniformByte(map, map.pieces[i]); });
        RepeatedContent out;
        for (const std::size_t i : pieces) {
            if (contents[i].uniform) {
                out.uniform.push_back(i);
            }
        }
        // The ends tell most pieces of one size apart.
        digestSimilar([](core::Bytes data) { return data.first(std::min(data.size(), endBytes)); }, false);
        digestSimilar({}, true);
        for (auto& [key, group] : groups()) {
            if (auto separate = withoutOverlaps(group); separate.size() > 1) {
                out.duplicates.push_back({.bytes = key.first, .pieces = std::move(separate)});
            }
        }
        std::ranges::stable_sort(out.duplicates, std::greater{}, &DuplicateGroup::wasted);
        return out;
    }

  private:
    static constexpr std::size_t endBytes = 4096;
    using Key = std::pair<std::uint64_t, Content>;

    /// Pieces by size and what is known of their content.
    std::map<Key, std::vector<std::size_t>> groups() const {
        std::map<Key, std::vector<std::size_t>> out;
        for (const std::size_t i : pieces) {
            out[{map.pieces[i].data.size(), contents[i]}].push_back(i);
        }
        return out;
    }

    /// Looks closer at pieces that are alike so far: at a part of them, or at all.
    void digestSimilar(core::Bytes (*part)(core::Bytes), bool whole) {
        std::vector<std::size_t> alike;
        for (const auto& [key, group] : groups()) {
            if (group.size() > 1 && !key.second.uniform && (!whole || key.first > endBytes)) {
                alike.insert(alike.end(), group.begin(), group.end());
            }
        }
        forEachParallel(alike, [&](std::size_t i) {
            ContentDigest digest;
            if (!whole) {
                digest = points.append({}, part(map.pieces[i].data));
            } else {
                forEachChunk(map, map.pieces[i], [&](core::Bytes chunk) {
                    digest = points.append(digest, chunk);
                    return true;
                });
            }
            contents[i].digest = digest;
        });
    }

    std::vector<std::size_t> withoutOverlaps(const std::vector<std::size_t>& group) const {
        std::vector<std::size_t> out;
        if (group.size() > 1) {
            for (const std::size_t piece : group) {
                const auto isCopy = [&](std::size_t other) {
                    return !overlap(map.pieces[other].data, map.pieces[piece].data);
                };
                if (std::ranges::all_of(out, isCopy)) {
                    out.push_back(piece);
                }
            }
        }
        return out;
    }

    const SizeMap& map;
    DigestPoints points = DigestPoints::random();
    std::vector<Content> contents;    ///< by piece
    std::vector<std::size_t> pieces;  ///< that are long enough
};

}  // namespace

std::string whyRepeated(const SizeMap& map, const DuplicateGroup& group) {
    const auto differ = [&](auto member) {
        return !std::ranges::all_of(group.pieces, [&](std::size_t piece) {
            return std::invoke(member, map.pieces[piece]) ==
                   std::invoke(member, map.pieces[group.pieces.front()]);
        });
    };
    const auto isOf = [&](SizeKind kind) {
        return [&map, kind](std::size_t piece) { return map.pieces[piece].kind == kind; };
    };
    if (differ(&SizePiece::file)) {
        return "files hold copies of their own";
    }
    if (std::ranges::any_of(group.pieces, isOf(SizeKind::TestTensor))) {
        return "test cases have the same values";
    }
    const auto inDelegates = std::ranges::count_if(group.pieces, isOf(SizeKind::DelegateWeights)) +
                             std::ranges::count_if(group.pieces, isOf(SizeKind::DelegateTables));
    if (inDelegates > 0 && inDelegates < std::ssize(group.pieces)) {
        return "the program and a delegate hold one each";
    }
    if (differ(&SizePiece::method)) {
        return inDelegates > 0 ? "each method was lowered by itself: its delegate holds a copy"
                               : "each method holds a copy";
    }
    if (differ(&SizePiece::backend)) {
        return "each backend holds a copy";
    }
    if (inDelegates > 0) {
        return "each delegate, or each of its operators, holds a copy";
    }
    return "tensors of other names have the same values: shared once, exported apart";
}

RepeatedContent repeatedContent(const SizeMap& map, std::uint64_t least) {
    return ContentReader(map, least).read();
}

}  // namespace et::inspector
