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

namespace et::tasks {

/// Settings for converting texts to ids and back.
struct TokenizeSettings {
    std::filesystem::path tokenizer;  ///< a file, or a folder that contains tokenizer.json
    /// Handling of special tokens in the text; nothing: the format's default (SentencePiece and llama2.c read
    /// them as plain text).
    std::optional<inspector::SpecialTokens> special;
    std::size_t bos = 0;       ///< number of BOS tokens before the ids
    std::size_t eos = 0;       ///< number of EOS tokens after the ids
    bool ownTemplate = false;  ///< add the tokens of the file's template instead of both
    bool skipSpecial = false;  ///< omit special tokens from texts
};

/// A tokenizer with settings.
class TextTokenizer {
  public:
    /// Maximum number of BOS or EOS tokens.
    static constexpr std::size_t mostAround = 1024;

    /// Errors: those of inspector::openTokenizer(); InvalidArgument (the format does not support a choice of
    /// special tokens, or has no BOS, EOS or template).
    [[nodiscard]] static core::Result<TextTokenizer> open(const TokenizeSettings& settings);

    [[nodiscard]] const inspector::Tokenizer& tokenizer() const { return *owner; }
    /// Why the ids may differ from those of the model's training, one line each.
    [[nodiscard]] const std::vector<std::string>& warnings() const { return oddities; }
    /// Errors: those of Tokenizer::encode().
    [[nodiscard]] core::Result<std::vector<inspector::TokenId>> encode(std::string_view text) const;
    /// Errors: those of Tokenizer::decode().
    [[nodiscard]] core::Result<std::string> decode(std::span<const inspector::TokenId> ids) const;

  private:
    /// Adds a warning if the chat template next to the tokenizer ends a turn with another token.
    void checkTurnEnd(const std::filesystem::path& path);

    std::unique_ptr<inspector::Tokenizer> owner;
    std::vector<inspector::TokenId> before;
    std::vector<inspector::TokenId> after;
    inspector::SpecialTokens special = inspector::SpecialTokens::Recognised;
    bool skipSpecial = false;
    std::vector<std::string> oddities;
};

/// Parses numbers separated by spaces, commas or line breaks, with or without brackets. Errors:
/// InvalidArgument.
[[nodiscard]] core::Result<std::vector<inspector::TokenId>> parseIds(std::string_view text);

/// Answer to one JSON line.
struct LineAnswer {
    std::optional<std::vector<inspector::TokenId>> ids;  ///< for {"text": ...}
    std::optional<std::string> text;                     ///< for {"ids": ...}
};

/// Answers JSON lines, {"text": "..."} with ids and {"ids": [...]} with text (a line with both counts as
/// text), each as soon as it is read; skips empty lines. `name`: file name for errors. Errors:
/// InvalidArgument with the line; those of `take` and of the tokenizer.
[[nodiscard]] core::Result<> answerLines(const TextTokenizer& tokenizer, std::istream& lines,
                                         const std::string& name,
                                         const std::function<core::Result<>(const LineAnswer&)>& take);

}  // namespace et::tasks
