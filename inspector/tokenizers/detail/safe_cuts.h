#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_set>

namespace et::inspector::tokenizers::detail {

/// Positions at which a text can be split before byte-pair encoding without changing its tokens: between two
/// characters that are adjacent in no token. Splits a text without pre-tokenizer into words, which are short
/// and repeat.
class SafeCuts {
  public:
    /// Treatment of characters that are not tokens.
    enum class Unknown : std::uint8_t {
        Stay,  ///< become byte tokens or one unknown token
        Go,    ///< are removed, so that their neighbours become adjacent
    };
    explicit SafeCuts(Unknown what = Unknown::Stay) : unknown(what) {}

    /// Registers the adjacent characters of a token.
    void add(std::string_view token);

    /// Size in bytes of the piece at the start of `text` (well-formed UTF-8, not empty).
    [[nodiscard]] std::size_t piece(std::string_view text) const;

  private:
    [[nodiscard]] bool together(char32_t left, char32_t right) const;

    static constexpr char32_t ascii = 128;
    std::bitset<std::size_t{ascii} * ascii> asciiPairs;
    std::unordered_set<std::uint64_t> pairs;
    /// Characters that are tokens. Two adjacent unknown characters are not separated, since they may be
    /// fused.
    std::unordered_set<char32_t> known;
    std::bitset<ascii> knownAscii;
    Unknown unknown;
};

}  // namespace et::inspector::tokenizers::detail
