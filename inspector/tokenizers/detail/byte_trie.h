#pragma once

#include "inspector/tokenizers/tokenizer.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace et::inspector::tokenizers::detail {

/// Trie of tokens by their bytes, in arrays; the children of a node are contiguous.
class ByteTrie {
  public:
    using Entry = std::pair<std::string_view, TokenId>;

    ByteTrie() : ByteTrie(std::vector<Entry>()) {}
    /// For equal tokens the lowest id wins. Copies its input.
    explicit ByteTrie(std::vector<Entry> tokens) {
        std::ranges::sort(tokens);
        const auto [first, last] = std::ranges::unique(tokens, {}, &Entry::first);
        tokens.erase(first, last);
        nodes.push_back({});
        build(tokens);
    }

    /// Calls `take(length, id)` for each token at the start of `text`, shortest first.
    template <class Take>
    void prefixes(std::string_view text, const Take& take) const {
        std::uint32_t at = 0;
        for (std::size_t length = 1; length <= text.size(); ++length) {
            const auto byte = static_cast<unsigned char>(text[length - 1]);
            const Node& node = nodes[at];
            const auto begin = nodes.begin() + node.firstChild;
            const auto end = begin + node.children;
            const auto child = std::lower_bound(
                begin, end, byte, [](const Node& each, unsigned char wanted) { return each.byte < wanted; });
            if (child == end || child->byte != byte) {
                return;
            }
            at = static_cast<std::uint32_t>(child - nodes.begin());
            if (child->id != none) {
                take(length, child->id);
            }
        }
    }

  private:
    static constexpr TokenId none = std::numeric_limits<TokenId>::max();
    struct Node {
        std::uint32_t firstChild = 0;
        TokenId id = none;
        std::uint16_t children = 0;
        std::uint8_t byte = 0;
    };
    using Sorted = std::span<const Entry>;

    /// Adds all tokens, which share a prefix of `depth` bytes, below a node. Iterative, since a token may be
    /// long.
    void build(Sorted all) {
        struct Task {
            std::uint32_t node;
            Sorted tokens;
            std::size_t depth;
        };
        std::vector<Task> tasks{{0, all, 0}};
        while (!tasks.empty()) {
            const Task task = tasks.back();
            tasks.pop_back();
            Sorted tokens = task.tokens;
            if (!tokens.empty() && tokens[0].first.size() == task.depth) {
                nodes[task.node].id = tokens[0].second;
                tokens = tokens.subspan(1);
            }
            nodes[task.node].firstChild = static_cast<std::uint32_t>(nodes.size());
            while (!tokens.empty()) {
                const auto byte = static_cast<unsigned char>(tokens[0].first[task.depth]);
                const auto end = std::ranges::find_if(tokens, [&](const auto& token) {
                    return static_cast<unsigned char>(token.first[task.depth]) != byte;
                });
                const auto count = static_cast<std::size_t>(end - tokens.begin());
                ++nodes[task.node].children;
                tasks.push_back(
                    {static_cast<std::uint32_t>(nodes.size()), tokens.first(count), task.depth + 1});
                nodes.push_back({.byte = byte});
                tokens = tokens.subspan(count);
            }
        }
    }

    std::vector<Node> nodes;
};

}  // namespace et::inspector::tokenizers::detail
