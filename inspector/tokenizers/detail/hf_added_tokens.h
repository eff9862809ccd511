#pragma once

#include "inspector/tokenizers/detail/hf_steps.h"
#include "inspector/tokenizers/detail/json_fields.h"
#include "inspector/tokenizers/detail/token_finder.h"
#include "inspector/tokenizers/detail/word_cache.h"

#include <unordered_map>
#include <vector>

namespace et::inspector::tokenizers::detail {

/// A token added to the model's vocabulary.
struct AddedToken {
    std::string content;
    std::string shown;  ///< input of decoders: the content, normalized if `normalized`
    TokenId id = 0;
    bool special = false;
    bool singleWord = false;  ///< not matched inside a word
    bool leftStrip = false;   ///< strips blanks before it
    bool rightStrip = false;  ///< strips blanks after it
    bool normalized = true;   ///< matched in the normalized text
};

/// A section of a text: a token, or the text between tokens.
struct TextSegment {
    TextRange range;
    std::optional<TokenId> token;
};

/// Finds added tokens in texts.
class AddedTokens {
  public:
    /// Errors: Format, Limit.
    [[nodiscard]] static core::Result<AddedTokens> read(const JsonField& json, const TokenModel& model,
                                                        const Normalizer* normalizer);

    /// Splits the text into non-empty segments, in order, at the tokens that are matched in raw (`normalized`
    /// false) or normalized text. PlainText ignores special tokens.
    [[nodiscard]] std::vector<TextSegment> segments(std::string_view text, bool normalized,
                                                    SpecialTokens special) const;

    [[nodiscard]] const std::vector<AddedToken>& all() const { return tokens; }
    [[nodiscard]] const AddedToken* byId(TokenId id) const;
    [[nodiscard]] const AddedToken* byContent(std::string_view content) const;

  private:
    std::vector<AddedToken> tokens;
    std::unordered_map<TokenId, std::size_t> indexOfId;
    TextMap<std::size_t> indexOfContent;
    TokenFinder inRaw;
    TokenFinder inNormalized;
};

}  // namespace et::inspector::tokenizers::detail
