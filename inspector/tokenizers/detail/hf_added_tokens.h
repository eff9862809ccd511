#pragma once

#include "inspector/tokenizers/detail/hf_steps.h"
#include "inspector/tokenizers/detail/json_fields.h"
#include "inspector/tokenizers/detail/token_finder.h"
#include "inspector/tokenizers/detail/word_cache.h"

#include <unordered_map>
#include <vector>

namespace et::inspector::detail {

/// A token that stands beside the model's vocabulary.
struct AddedToken {
    std::string content;
    std::string shown;  ///< what decoders see: where it is normalized, the normalized content
    TokenId id = 0;
    bool special = false;
    bool singleWord = false;  ///< not within a word
    bool leftStrip = false;   ///< takes the blanks before it
    bool rightStrip = false;  ///< and behind it
    bool normalized = true;   ///< looked for in the normalized text
};

/// A part of a text: a token, or what stands between tokens.
struct TextSegment {
    TextRange range;
    std::optional<TokenId> token;
};

/// The added tokens, and where they stand in a text.
class AddedTokens {
  public:
    /// Errors: Format, Limit.
    [[nodiscard]] static core::Result<AddedTokens> read(const JsonField& json, const TokenModel& model,
                                                        const Normalizer* normalizer);

    /// The text as segments, in order and without empty ones, by the tokens that are looked for in raw
    /// (`normalized` false) or normalized text. With PlainText the special ones are not looked for.
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

}  // namespace et::inspector::detail
