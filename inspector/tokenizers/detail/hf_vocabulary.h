#pragma once

#include "inspector/tokenizers/detail/formats.h"
#include "inspector/tokenizers/detail/json_fields.h"
#include "inspector/tokenizers/detail/word_cache.h"

#include <fmt/format.h>

namespace et::inspector::tokenizers::detail {

/// Tokens by id and ids by token.
struct HfVocabulary {
    std::vector<std::string> pieces;
    TextMap<TokenId> idOf;

    [[nodiscard]] std::optional<TokenId> find(std::string_view piece) const {
        const auto found = idOf.find(piece);
        return found == idOf.end() ? std::nullopt : std::optional(found->second);
    }
};

/// {"token": id, ...}. Errors: Format, Limit (an id too large for the size of the vocabulary).
[[nodiscard]] core::Result<HfVocabulary> readHfVocabulary(const JsonField& json);

/// The ids of "<0x00>" to "<0xFF>", where present in the vocabulary.
[[nodiscard]] std::vector<std::optional<TokenId>> byteTokens(const HfVocabulary& vocabulary);

}  // namespace et::inspector::tokenizers::detail
