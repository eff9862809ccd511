#pragma once

#include "inspector/tokenizers/detail/byte_trie.h"
#include "inspector/tokenizers/detail/regex.h"

#include <bitset>
#include <optional>
#include <string_view>
#include <vector>

namespace et::inspector::tokenizers::detail {

/// Finds the tokens of a list in a text: leftmost first, the longest if several start there.
class TokenFinder {
  public:
    TokenFinder() = default;
    /// `tokens` must not contain empty ones.
    explicit TokenFinder(const std::vector<ByteTrie::Entry>& tokens) : trie(tokens) {
        for (const auto& [text, id] : tokens) {
            firstBytes.set(static_cast<unsigned char>(text[0]));
        }
    }

    struct Found {
        TextRange range;
        TokenId id = 0;
    };
    /// The first token in `text` at or after `from`.
    [[nodiscard]] std::optional<Found> next(std::string_view text, std::size_t from) const {
        if (firstBytes.none()) {
            return std::nullopt;
        }
        for (std::size_t at = from; at < text.size(); ++at) {
            if (!firstBytes.test(static_cast<unsigned char>(text[at]))) {
                continue;
            }
            std::optional<Found> longest;
            trie.prefixes(text.substr(at), [&](std::size_t length, TokenId id) {
                longest = Found{.range = {.begin = at, .end = at + length}, .id = id};
            });
            if (longest) {
                return longest;
            }
        }
        return std::nullopt;
    }

  private:
    ByteTrie trie;
    std::bitset<256> firstBytes;
};

}  // namespace et::inspector::tokenizers::detail
