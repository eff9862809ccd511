#pragma once

#include "inspector/tokenizers/tokenizer.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The steps of a Hugging Face tokenizer: normalizer, pre-tokenizer, model, and decoder for the way back.
namespace et::inspector::detail {

class JsonField;

/// How deep steps may hold steps ("Sequence").
inline constexpr int maxStepDepth = 8;

/// Changes a text before it is cut.
class Normalizer {
  public:
    Normalizer() = default;
    Normalizer(const Normalizer&) = delete;
    Normalizer& operator=(const Normalizer&) = delete;
    virtual ~Normalizer() = default;
    /// Errors: Limit.
    [[nodiscard]] virtual core::Result<> apply(std::string& text) const = 0;
};

/// A text in parts.
struct Pieces {
    struct Part {
        std::size_t begin = 0;
        std::size_t size = 0;
        bool first = false;  ///< begins where the whole text does
    };
    std::string text;
    std::vector<Part> parts;

    [[nodiscard]] std::string_view at(const Part& part) const {
        return std::string_view(text).substr(part.begin, part.size);
    }
};

/// Cuts the parts of a text into words, and may write them differently.
class PreTokenizer {
  public:
    PreTokenizer() = default;
    PreTokenizer(const PreTokenizer&) = delete;
    PreTokenizer& operator=(const PreTokenizer&) = delete;
    virtual ~PreTokenizer() = default;
    /// Errors: Limit.
    [[nodiscard]] virtual core::Result<> apply(Pieces& pieces) const = 0;
};

/// A word's tokens.
class TokenModel {
  public:
    TokenModel() = default;
    TokenModel(const TokenModel&) = delete;
    TokenModel& operator=(const TokenModel&) = delete;
    virtual ~TokenModel() = default;

    [[nodiscard]] virtual std::string_view format() const = 0;
    /// Appends the tokens of a word. Errors: Format (a token that the model needs is missing).
    [[nodiscard]] virtual core::Result<> encode(std::string_view word, std::vector<TokenId>& ids) const = 0;
    /// The vocabulary by id; empty: a hole.
    [[nodiscard]] virtual const std::vector<std::string>& pieces() const = 0;
    [[nodiscard]] virtual std::optional<TokenId> find(std::string_view piece) const = 0;
    /// Held while a text is encoded, where the model remembers words.
    [[nodiscard]] virtual std::unique_lock<std::mutex> lock() const { return {}; }
};

/// Makes a text of tokens: each step rewrites their list, which is then joined.
class TokenDecoder {
  public:
    TokenDecoder() = default;
    TokenDecoder(const TokenDecoder&) = delete;
    TokenDecoder& operator=(const TokenDecoder&) = delete;
    virtual ~TokenDecoder() = default;
    /// Errors: Limit.
    [[nodiscard]] virtual core::Result<> apply(std::vector<std::string>& tokens) const = 0;
    /// The bytes of a token, where the text of tokens is that of their bytes one after another. Nothing: a
    /// token's text depends on its neighbours.
    [[nodiscard]] virtual std::optional<std::string> bytesOf(std::string_view /*token*/) const { return {}; }
};

/// Makers of steps from their JSON. Errors: Unsupported (a type or an option that is not known, with its
/// field), Format, Limit.
[[nodiscard]] core::Result<std::unique_ptr<Normalizer>> makeNormalizer(const JsonField& json, int depth = 0);
[[nodiscard]] core::Result<std::unique_ptr<PreTokenizer>> makePreTokenizer(const JsonField& json,
                                                                           int depth = 0);
[[nodiscard]] core::Result<std::unique_ptr<TokenModel>> makeTokenModel(const JsonField& json);
[[nodiscard]] core::Result<std::unique_ptr<TokenDecoder>> makeTokenDecoder(const JsonField& json,
                                                                           int depth = 0);

[[nodiscard]] core::Result<std::unique_ptr<TokenModel>> makeBpeModel(const JsonField& json);
[[nodiscard]] core::Result<std::unique_ptr<TokenModel>> makeUnigramModel(const JsonField& json);
/// WordPiece and WordLevel.
[[nodiscard]] core::Result<std::unique_ptr<TokenModel>> makeWordModel(const JsonField& json, bool pieces);

/// What the post-processor puts around one text; `find` gives the id of a special token.
[[nodiscard]] core::Result<Tokenizer::Template> readTemplate(const JsonField& json, int depth = 0);

/// What remains when " ." becomes "." and the like, as WordPiece's decoder tidies English. Errors: Limit.
[[nodiscard]] core::Result<std::string> tidied(std::string_view text);

}  // namespace et::inspector::detail
