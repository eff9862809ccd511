#pragma once

#include "app/tasks/tokenize/text_tokenizer.h"
#include "inspector/tokenizers/tokenizer.h"

#include <cstdint>
#include <span>
#include <string>

// What `et-inspect tokenize` prints.
namespace et::app {

/// What of the tokens is shown.
enum class TokenDetail : std::uint8_t { Ids, Pieces, Count };

/// Ids in a line, or one token a line (id, tab, piece, of which control characters are escaped), or their
/// number.
[[nodiscard]] std::string idsText(const inspector::Tokenizer& tokenizer,
                                  std::span<const inspector::TokenId> ids, TokenDetail detail);
/// The same as one JSON object, as docs/json.md says.
[[nodiscard]] std::string idsJson(const inspector::Tokenizer& tokenizer,
                                  std::span<const inspector::TokenId> ids, TokenDetail detail);
[[nodiscard]] std::string decodedJson(const inspector::Tokenizer& tokenizer,
                                      std::span<const inspector::TokenId> ids, std::string_view text);
/// The answer to a line of JSON, with its line break.
[[nodiscard]] std::string lineJson(const inspector::Tokenizer& tokenizer, const LineAnswer& answer,
                                   TokenDetail detail);

}  // namespace et::app
