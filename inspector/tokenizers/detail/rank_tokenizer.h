#pragma once

#include "inspector/tokenizers/detail/formats.h"
#include "inspector/tokenizers/detail/regex.h"
#include "inspector/tokenizers/detail/token_finder.h"
#include "inspector/tokenizers/detail/word_cache.h"
#include "inspector/tokenizers/tokenizer.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector::detail {

/// What a tokenizer of ranked byte strings (tiktoken, tekken) is made of.
struct RankVocabulary {
    std::string_view format;
    std::vector<std::string> pieces;  ///< the bytes of each id; empty: a hole
    std::vector<bool> special;        ///< of each id
    std::string pattern;
    std::optional<TokenId> bos;
    std::optional<TokenId> eos;
};

/// Byte-pair encoding where a token's id, in order, is its rank: of all neighbours those merge first whose
/// bytes together have the lowest. Errors: those of Regex.
[[nodiscard]] OpenedTokenizer makeRankTokenizer(RankVocabulary vocabulary);

}  // namespace et::inspector::detail
