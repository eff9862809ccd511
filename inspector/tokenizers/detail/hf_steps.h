#pragma once

#include "inspector/tokenizers/detail/hf_vocabulary.h"
#include "inspector/tokenizers/detail/word_cache.h"
#include "inspector/tokenizers/tokenizer.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Steps of a Hugging Face tokenizer: normalizer, pre-tokenizer and model for encoding, decoder for decoding.
namespace et::inspector::tokenizers::detail {

/// Maximum nesting depth of steps ("Sequence").
inline constexpr int maxStepDepth = 8;

/// Rewrites a value in place.
template <class Value>
class Step {
  public:
    using Input = Value;
    Step() = default;
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    virtual ~Step() = default;
    /// Errors: Limit.
    [[nodiscard]] virtual core::Result<> apply(Value& value) const = 0;
};

/// Transforms a text before it is split.
using Normalizer = Step<std::string>;

/// A text split into parts.
struct Pieces {
    struct Part {
        std::size_t begin = 0;
        std::size_t size = 0;
        bool first = false;  ///< starts at the beginning of the whole text
    };
    std::string text;
    std::vector<Part> parts;

    [[nodiscard]] std::string_view at(const Part& part) const {
        return std::string_view(text).substr(part.begin, part.size);
    }
};

/// Splits the parts of a text into words, and may rewrite them.
using PreTokenizer = Step<Pieces>;

/// Converts words to tokens of a vocabulary.
class TokenModel {
  public:
    explicit TokenModel(HfVocabulary of) : vocabulary(std::move(of)) {}
    TokenModel(const TokenModel&) = delete;
    TokenModel& operator=(const TokenModel&) = delete;
    virtual ~TokenModel() = default;

    [[nodiscard]] virtual std::string_view format() const = 0;
    /// Appends the tokens of a word. Errors: Format (a token required by the model is missing).
    [[nodiscard]] virtual core::Result<> encode(std::string_view word, std::vector<TokenId>& ids) const = 0;
    /// The vocabulary by id; empty: unused id.
    [[nodiscard]] const std::vector<std::string>& pieces() const { return vocabulary.pieces; }
    [[nodiscard]] std::optional<TokenId> find(std::string_view piece) const { return vocabulary.find(piece); }
    /// Lock to hold while encoding a text.
    [[nodiscard]] std::unique_lock<std::mutex> lock() const { return cache.lock(); }

  protected:
    HfVocabulary vocabulary;
    mutable WordCache cache;
};

/// Converts tokens to text: each step rewrites the list of tokens, which is then joined.
class TokenDecoder : public Step<std::vector<std::string>> {
  public:
    /// The bytes of a token, if the text is the concatenation of the tokens' bytes. Nothing if a token's text
    /// depends on its neighbours.
    [[nodiscard]] virtual std::optional<std::string> bytesOf(std::string_view /*token*/) const { return {}; }
};

/// Build steps from JSON. Errors: Unsupported (an unknown type or option, with its field), Format, Limit.
[[nodiscard]] core::Result<std::unique_ptr<Normalizer>> makeNormalizer(const JsonField& json);
[[nodiscard]] core::Result<std::unique_ptr<PreTokenizer>> makePreTokenizer(const JsonField& json);
[[nodiscard]] core::Result<std::unique_ptr<TokenModel>> makeTokenModel(const JsonField& json);
[[nodiscard]] core::Result<std::unique_ptr<TokenDecoder>> makeTokenDecoder(const JsonField& json);

[[nodiscard]] core::Result<std::unique_ptr<TokenModel>> makeBpeModel(const JsonField& json);
[[nodiscard]] core::Result<std::unique_ptr<TokenModel>> makeUnigramModel(const JsonField& json);
/// WordPiece (`pieces`) or WordLevel.
[[nodiscard]] core::Result<std::unique_ptr<TokenModel>> makeWordModel(const JsonField& json, bool pieces);

/// The tokens that the post-processor adds around a single text; `find` returns the id of a special token.
[[nodiscard]] core::Result<Tokenizer::Template> readTemplate(const JsonField& json, int depth = 0);

/// Removes spaces before English punctuation (" ." becomes "."), as WordPiece's decoder does. Errors: Limit.
[[nodiscard]] core::Result<std::string> tidied(std::string_view text);

}  // namespace et::inspector::tokenizers::detail
