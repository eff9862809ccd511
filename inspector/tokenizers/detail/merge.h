#pragma once

#include "inspector/tokenizers/tokenizer.h"

#include <queue>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

// Byte-pair encoding: repeatedly merges the best pair of neighbours, the leftmost if several are equal, until
// no pair can be merged.
namespace et::inspector::tokenizers::detail {

/// A token of the word, with the bytes it covers.
struct Symbol {
    TokenId id = 0;
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
};

/// Result of merging two neighbours; the smallest rank is merged first.
template <class Rank>
struct Merged {
    Rank rank;
    TokenId id;
};

/// Merges the symbols in place, in O(n log n). `find(left, right)` returns an optional<Merged<Rank>>.
template <class Rank, class Find>
void mergeSymbols(std::vector<Symbol>& symbols, const Find& find) {
    struct Candidate {
        Rank rank;
        std::uint32_t left;
        TokenId id;
        bool operator<(const Candidate& other) const {  // a heap has its maximum on top
            return rank != other.rank ? rank > other.rank : left > other.left;
        }
    };
    constexpr std::uint32_t none = UINT32_MAX;
    struct Link {
        std::uint32_t previous;
        std::uint32_t next;
    };
    const auto count = static_cast<std::uint32_t>(symbols.size());
    if (count < 2) {
        return;
    }
    std::vector<Link> links(count);
    std::vector<Candidate> first;
    first.reserve(count);
    const auto consider = [&](std::uint32_t left, std::uint32_t right) -> std::optional<Candidate> {
        const std::optional<Merged<Rank>> merged = find(symbols[left], symbols[right]);
        return merged ? std::optional(Candidate{merged->rank, left, merged->id}) : std::nullopt;
    };
    for (std::uint32_t i = 0; i < count; ++i) {
        links[i] = {.previous = i == 0 ? none : i - 1, .next = i + 1 == count ? none : i + 1};
        if (i + 1 < count) {
            if (const auto candidate = consider(i, i + 1)) {
                first.push_back(*candidate);
            }
        }
    }
    std::priority_queue<Candidate> queue(std::less<Candidate>(), std::move(first));
    while (!queue.empty()) {
        const Candidate best = queue.top();
        queue.pop();
        Symbol& left = symbols[best.left];
        const std::uint32_t right = links[best.left].next;
        if (left.size == 0 || right == none) {
            continue;
        }
        const std::optional<Merged<Rank>> now = find(left, symbols[right]);
        if (!now || now->id != best.id) {
            continue;  // one of the two has been merged meanwhile
        }
        left.id = best.id;
        left.size += symbols[right].size;
        symbols[right].size = 0;
        const std::uint32_t after = links[right].next;
        links[best.left].next = after;
        if (after != none) {
            links[after].previous = best.left;
            if (const auto candidate = consider(best.left, after)) {
                queue.push(*candidate);
            }
        }
        if (const std::uint32_t before = links[best.left].previous; before != none) {
            if (const auto candidate = consider(before, best.left)) {
                queue.push(*candidate);
            }
        }
    }
    std::erase_if(symbols, [](const Symbol& symbol) { return symbol.size == 0; });
}

}  // namespace et::inspector::tokenizers::detail
