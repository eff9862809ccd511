#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector::tokenizers::detail {

/// SentencePiece's precompiled normalization: a double-array trie from texts to offsets of their
/// replacements, little-endian: u32 size of the trie in bytes, the trie (u32 units), NUL-terminated
/// replacements.
class CharsMap {
  public:
    /// Validates the complete map, so that searches stay in bounds. Errors: Format.
    [[nodiscard]] static core::Result<CharsMap> open(std::string_view blob);

    /// The replacement for the shortest entry at the start of `text`.
    [[nodiscard]] std::optional<std::string_view> shortest(std::string_view text) const;

  private:
    std::vector<std::uint32_t> units;
    std::string replacements;
};

}  // namespace et::inspector::tokenizers::detail
