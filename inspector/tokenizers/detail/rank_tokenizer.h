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

namespace et::inspector::tokenizers::detail {

/// Vocabulary of a tokenizer of ranked byte strings (tiktoken, tekken).
struct RankVocabulary {
    std::string_view format;
    std::vector<std::string> pieces;  ///< the bytes of each id; empty: unused id
    std::vector<bool> special;        ///< by id
    std::string pattern;
    std::optional<TokenId> bos;
    std::optional<TokenId> eos;
};

/// Creates a byte-pair encoder in which a token's id is its rank: the neighbours whose concatenation has the
/// lowest rank merge first. Errors: those of Regex.
[[nodiscard]] OpenedTokenizer makeRankTokenizer(RankVocabulary vocabulary);

}  // namespace et::inspector::tokenizers::detail
