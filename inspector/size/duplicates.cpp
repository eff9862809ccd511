#include "inspector/size/duplicates.h"

#include "inspector/size/piece_pages.h"

#include <algorithm>
#include <atomic>
#include <compare>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <utility>

namespace et::inspector {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr unsigned primeBits = 61;
constexpr std::uint64_t prime = (std::uint64_t{1} << primeBits) - 1;

/// Reduces a value below 2^124 to one below 2^62.
std::uint64_t folded(Wide value) {
    return static_cast<std::uint64_t>(value & prime) + static_cast<std::uint64_t>(value >> primeBits);
}

std::uint64_t reduced(std::uint64_t value) {
    value = (value & prime) + (value >> primeBits);
    return value >= prime ? value - prime : value;
}

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    return reduced(folded(static_cast<Wide>(a) * b));
}

/// Fingerprint of a piece's content. Equal for equal contents of the same size.
struct Content {
    std::byte first{};
    std::uint64_t run = 0;  ///< number of leading bytes equal to the first
    ContentDigest digest;   ///< of part or all of the bytes after the run

    auto operator<=>(const Content&) const = default;
};

/// Whether two pieces overlap, in which case they are not stored twice.
bool overlap(core::Bytes a, core::Bytes b) {
    constexpr std::less<const std::byte*> before;
    return before(a.data(), b.data() + b.size()) && before(b.data(), a.data() + a.size());
}

/// Calls `work` for each of `items` in parallel.
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

/// All bytes are equal if each equals its predecessor.
bool isAll(core::Bytes bytes, std::byte value) {
    return bytes.front() == value && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

/// Number of leading bytes with this value.
std::size_t runOf(core::Bytes bytes, std::byte value) {
    constexpr std::size_t step = 4096;
    std::size_t run = 0;
    while (run < bytes.size() && isAll(bytes.subspan(run, std::min(step, bytes.size() - run)), value)) {
        run += std::min(step, bytes.size() - run);
    }
    const core::Bytes rest = bytes.subspan(run);
    return run +
           static_cast<std::size_t>(
               std::ranges::find_if(rest, [&](std::byte each) { return each != value; }) - rest.begin());
}

Content startOf(const SizeMap& map, const SizePiece& piece) {
    Content out{.first = piece.data.front()};
    forEachChunk(map, piece, [&](core::Bytes chunk) {
        const std::size_t run = runOf(chunk, out.first);
        out.run += run;
        return run == chunk.size();
    });
    return out;
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
        forEachParallel(pieces, [&](std::size_t i) { contents[i] = startOf(map, map.pieces[i]); });
        RepeatedContent out;
        for (const std::size_t i : pieces) {
            if (contents[i].run == map.pieces[i].data.size()) {
                out.uniform.push_back(i);
            }
        }
        // The bytes after the first run distinguish most pieces of the same size.
        digestSimilar(false);
        digestSimilar(true);
        for (auto& [key, group] : groups()) {
            if (auto separate = withoutOverlaps(group); separate.size() > 1) {
                out.duplicates.push_back({.bytes = key.first, .pieces = std::move(separate)});
            }
        }
        std::ranges::stable_sort(out.duplicates, std::greater{}, &DuplicateGroup::wasted);
        return out;
    }

  private:
    static constexpr std::size_t partBytes = 4096;
    using Key = std::pair<std::uint64_t, Content>;

    /// Pieces by size and fingerprint.
    std::map<Key, std::vector<std::size_t>> groups() const {
        std::map<Key, std::vector<std::size_t>> out;
        for (const std::size_t i : pieces) {
            out[{map.pieces[i].data.size(), contents[i]}].push_back(i);
        }
        return out;
    }

    /// Digests part or all of the pieces whose fingerprints are equal so far.
    void digestSimilar(bool whole) {
        std::vector<std::size_t> alike;
        for (const auto& [key, group] : groups()) {
            const std::uint64_t behindRun = key.first - key.second.run;
            if (group.size() > 1 && behindRun > (whole ? partBytes : 0)) {
                alike.insert(alike.end(), group.begin(), group.end());
            }
        }
        forEachParallel(alike, [&](std::size_t i) {
            contents[i].digest =
                whole ? digestOf(map.pieces[i]) : digestOfPart(map.pieces[i], contents[i].run);
        });
    }

    ContentDigest digestOfPart(const SizePiece& piece, std::uint64_t from) const {
        const core::Bytes rest = piece.data.subspan(from);
        return points.append({}, rest.first(std::min(rest.size(), partBytes)));
    }

    ContentDigest digestOf(const SizePiece& piece) const {
        ContentDigest digest;
        forEachChunk(map, piece, [&](core::Bytes chunk) {
            digest = points.append(digest, chunk);
            return true;
        });
        return digest;
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
    std::vector<std::size_t> pieces;  ///< pieces of sufficient size
};

}  // namespace

DigestPoints::DigestPoints(std::uint64_t forWords, std::uint64_t forHalves) {
    // Evaluation points 0 and 1 would lose most of the input.
    const std::uint64_t wordPoint = 2 + forWords % (prime - 2);
    const std::uint64_t halfPoint = 2 + forHalves % (prime - 2);
    wordPowers[0] = 1;
    halfPowers[0] = 1;
    for (std::size_t i = 1; i <= lanes; ++i) {
        wordPowers[i] = product(wordPowers[i - 1], wordPoint);
        halfPowers[i] = product(halfPowers[i - 1], halfPoint);
    }
}

DigestPoints DigestPoints::random() {
    std::random_device device;
    const auto number = [&] {
        constexpr unsigned half = 32;
        return std::uint64_t{device()} << half | device();
    };
    return {number(), number()};
}

ContentDigest DigestPoints::append(ContentDigest before, core::Bytes more) const {
    while (!more.empty()) {
        std::uint64_t words[lanes]{};
        const std::size_t taken = std::min(more.size(), blockBytes);
        std::memcpy(words, more.data(), taken);
        more = more.subspan(taken);
        // Each term is below 2^122, so a few of them can be added. The first multiplies the previous digest
        // by the power for the whole block.
        Wide wordSum = static_cast<Wide>(before.words) * wordPowers[lanes];
        Wide halfSum = static_cast<Wide>(before.halves) * halfPowers[lanes];
        for (std::size_t i = 0; i < lanes; ++i) {
            constexpr unsigned half = 32;
            wordSum +=
                static_cast<Wide>((words[i] & prime) + (words[i] >> primeBits)) * wordPowers[lanes - 1 - i];
            halfSum += static_cast<Wide>(words[i] >> half) * halfPowers[lanes - 1 - i];
        }
        before = {reduced(folded(wordSum)), reduced(folded(halfSum))};
    }
    return before;
}

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
        return "each file has its own copy";
    }
    if (std::ranges::any_of(group.pieces, isOf(SizeKind::TestTensor))) {
        return "test cases have the same values";
    }
    const auto inDelegates = std::ranges::count_if(group.pieces, isOf(SizeKind::DelegateWeights)) +
                             std::ranges::count_if(group.pieces, isOf(SizeKind::DelegateTables));
    if (inDelegates > 0 && inDelegates < std::ssize(group.pieces)) {
        return "the program and a delegate hold a copy each";
    }
    if (differ(&SizePiece::method)) {
        return inDelegates > 0 ? "each method was lowered separately: its delegate holds a copy"
                               : "each method holds a copy";
    }
    if (differ(&SizePiece::backend)) {
        return "each backend holds a copy";
    }
    if (inDelegates > 0) {
        return "each delegate, or each of its operators, holds a copy";
    }
    return "tensors with different names have the same values: formerly shared, exported separately";
}

RepeatedContent repeatedContent(const SizeMap& map, std::uint64_t least) {
    return ContentReader(map, least).read();
}

}  // namespace et::inspector
