#pragma once

#include "app/tasks/tokenize/text_tokenizer.h"
#include "inspector/tokenizers/tokenizer.h"

#include <cstdint>
#include <span>
#include <string>

// Output of `et-inspect tokenize`.
namespace et::output {

/// Selects the token details to show.
enum class TokenDetail : std::uint8_t { Ids, Pieces, Count };

/// Ids on one line, or one token per line (id, tab, piece with control characters escaped), or the number of
/// tokens.
[[nodiscard]] std::string idsText(const inspector::Tokenizer& tokenizer,
                                  std::span<const inspector::TokenId> ids, TokenDetail detail);
/// The same as one JSON object, as described in docs/reference/json.md.
[[nodiscard]] std::string idsJson(const inspector::Tokenizer& tokenizer,
                                  std::span<const inspector::TokenId> ids, TokenDetail detail);
[[nodiscard]] std::string decodedJson(const inspector::Tokenizer& tokenizer,
                                      std::span<const inspector::TokenId> ids, std::string_view text);
/// The answer to a line of JSON input, with its line break.
[[nodiscard]] std::string lineJson(const inspector::Tokenizer& tokenizer, const tasks::LineAnswer& answer,
                                   TokenDetail detail);

}  // namespace et::output
