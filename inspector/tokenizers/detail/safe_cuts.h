#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_set>

namespace et::inspector::detail {

/// Where a text can be cut before byte-pair encoding without a change of its tokens: between two characters
/// that stand side by side in no token. A text without pre-tokenizer becomes words, which are short and
/// repeat.
class SafeCuts {
  public:
    /// What becomes of characters that are no token.
    enum class Unknown : std::uint8_t {
        Stay,  ///< they are bytes, or a token for all of them
        Go,    ///< nothing, and what was beside them meets
    };
    explicit SafeCuts(Unknown what = Unknown::Stay) : unknown(what) {}

    /// Notes the neighbours in a token.
    void add(std::string_view token);

    /// Bytes of the piece at the start of `text` (well-formed UTF-8, not empty); at most all of it.
    [[nodiscard]] std::size_t piece(std::string_view text) const;

  private:
    [[nodiscard]] bool together(char32_t left, char32_t right) const;

    static constexpr char32_t ascii = 128;
    std::bitset<std::size_t{ascii} * ascii> asciiPairs;
    std::unordered_set<std::uint64_t> pairs;
    /// Characters that are tokens: two others in a row stay together, as what is unknown may fuse.
    std::unordered_set<char32_t> known;
    std::bitset<ascii> knownAscii;
    Unknown unknown;
};

}  // namespace et::inspector::detail
