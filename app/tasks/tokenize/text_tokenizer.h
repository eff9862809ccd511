#pragma once

#include "inspector/tokenizers/tokenizer.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <functional>
#include <istream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// How texts become ids and back.
struct TokenizeSettings {
    std::filesystem::path tokenizer;  ///< a file, or a folder with a tokenizer.json
    /// Of special tokens in the text; nothing: as the format does (SentencePiece and llama2.c read them as
    /// plain text).
    std::optional<inspector::SpecialTokens> special;
    std::size_t bos = 0;       ///< so many BOS before the ids
    std::size_t eos = 0;       ///< so many EOS behind them
    bool ownTemplate = false;  ///< what the file's own template adds, in place of both
    bool skipSpecial = false;  ///< leave special tokens out of texts
};

/// A tokenizer with settings.
class TextTokenizer {
  public:
    /// BOS or EOS asked for, at most.
    static constexpr std::size_t mostAround = 1024;

    /// Errors: those of inspector::openTokenizer(); InvalidArgument (the format has no choice of special
    /// tokens, no BOS, no EOS, no template).
    [[nodiscard]] static core::Result<TextTokenizer> open(const TokenizeSettings& settings);

    [[nodiscard]] const inspector::Tokenizer& tokenizer() const { return *owner; }
    /// Errors: those of Tokenizer::encode().
    [[nodiscard]] core::Result<std::vector<inspector::TokenId>> encode(std::string_view text) const;
    /// Errors: those of Tokenizer::decode().
    [[nodiscard]] core::Result<std::string> decode(std::span<const inspector::TokenId> ids) const;

  private:
    std::unique_ptr<inspector::Tokenizer> owner;
    std::vector<inspector::TokenId> before;
    std::vector<inspector::TokenId> after;
    inspector::SpecialTokens special = inspector::SpecialTokens::Recognised;
    bool skipSpecial = false;
};

/// Numbers that are separated by blanks, commas or line breaks, within brackets or not. Errors:
/// InvalidArgument.
[[nodiscard]] core::Result<std::vector<inspector::TokenId>> parseIds(std::string_view text);

/// What one line of JSON asks for.
struct LineAnswer {
    std::optional<std::vector<inspector::TokenId>> ids;  ///< of {"text": ...}
    std::optional<std::string> text;                     ///< of {"ids": ...}
};

/// Answers JSON lines, {"text": "..."} with ids and {"ids": [...]} with a text (a line with both is a text),
/// each as soon as it is read; empty lines are passed over. `name` stands for the file. Errors:
/// InvalidArgument with the line; those of `take` and of the tokenizer.
[[nodiscard]] core::Result<> answerLines(const TextTokenizer& tokenizer, std::istream& lines,
                                         const std::string& name,
                                         const std::function<core::Result<>(const LineAnswer&)>& take);

}  // namespace et::app
