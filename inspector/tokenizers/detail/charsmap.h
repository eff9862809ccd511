#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector::detail {

/// SentencePiece's precompiled normalization: a double-array trie from texts to offsets of their
/// replacements, little-endian: u32 bytes of the trie, the trie (u32 units), replacements that end with NUL.
class CharsMap {
  public:
    /// Checks all of the map: a search never leaves it. Errors: Format.
    [[nodiscard]] static core::Result<CharsMap> open(std::string_view blob);

    /// What the shortest entry at the start of `text` becomes.
    [[nodiscard]] std::optional<std::string_view> shortest(std::string_view text) const;

  private:
    std::vector<std::uint32_t> units;
    std::string replacements;
};

}  // namespace et::inspector::detail
