#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::inspector {

using TokenId = std::uint32_t;

/// What "<|eot_id|>" in a text is.
enum class SpecialTokens : std::uint8_t {
    Recognised,  ///< the special token
    PlainText,   ///< the characters
};

/// A property of a tokenizer for people: "pattern" and its regular expression.
struct TokenizerFact {
    std::string name;
    std::string value;
};

/// Decodes one sequence token by token; see TokenStream.
class StreamDecoder {
  public:
    StreamDecoder() = default;
    StreamDecoder(const StreamDecoder&) = delete;
    StreamDecoder& operator=(const StreamDecoder&) = delete;
    virtual ~StreamDecoder() = default;

    /// The text that the token completes. `id` is below the tokenizer's vocabularySize().
    [[nodiscard]] virtual core::Result<std::string> push(TokenId id) = 0;
    /// What was held back, an unfinished character as U+FFFD. The stream then starts anew.
    [[nodiscard]] virtual std::string flush() = 0;
};

/// Text to token ids and back, as one tokenizer file says. Immutable for its users: all calls may come from
/// several threads.
class Tokenizer {
  public:
    /// Bytes of a text, at most.
    static constexpr std::size_t maxTextBytes = std::size_t{1} << 29;

    Tokenizer() = default;
    Tokenizer(const Tokenizer&) = delete;
    Tokenizer& operator=(const Tokenizer&) = delete;
    virtual ~Tokenizer() = default;

    /// "hf-bpe", "hf-unigram", "hf-wordpiece", "hf-wordlevel", "sentencepiece", "tiktoken", "tekken",
    /// "llama2c".
    [[nodiscard]] virtual std::string_view format() const = 0;
    /// Every id is below it. There may be holes: ids without a token.
    [[nodiscard]] virtual std::size_t vocabularySize() const = 0;
    [[nodiscard]] virtual std::optional<TokenId> bos() const = 0;
    [[nodiscard]] virtual std::vector<TokenId> eos() const = 0;
    /// Whether encode() has the choice of SpecialTokens; SentencePiece and llama2.c always read plain text.
    [[nodiscard]] virtual bool readsSpecialTokens() const = 0;

    /// Ids of a text, without BOS, EOS or template.
    /// Errors: InvalidArgument (no UTF-8), Limit (more than maxTextBytes, a pattern that backtracks too
    /// much), Format (the vocabulary lacks a token that the text needs).
    [[nodiscard]] core::Result<std::vector<TokenId>> encode(
        std::string_view text, SpecialTokens special = SpecialTokens::Recognised) const;

    /// The text of ids, special tokens as they are written; always UTF-8: bytes that make no character become
    /// U+FFFD, as the format's own library replaces them. Errors: InvalidArgument (an id that is not below
    /// vocabularySize()).
    [[nodiscard]] core::Result<std::string> decode(std::span<const TokenId> ids) const;

    /// The token as the vocabulary writes it, for people: "Ġthe", "▁the", "<0x0A>". Empty for a hole.
    [[nodiscard]] virtual std::string piece(TokenId id) const = 0;
    /// The id of a token as the vocabulary writes it.
    [[nodiscard]] virtual std::optional<TokenId> find(std::string_view piece) const = 0;

    /// Whether it is a special token: one that stands for no text (BOS, the start of a turn).
    [[nodiscard]] virtual bool isSpecial(TokenId id) const = 0;

    /// Ids that the file's own template puts before and after one text ("[CLS]" and "[SEP]"): what training
    /// and Hugging Face's library add, and ExecuTorch's runner does not.
    struct Template {
        std::vector<TokenId> before;
        std::vector<TokenId> after;
    };
    [[nodiscard]] virtual Template ownTemplate() const { return {}; }

    /// What else is worth knowing: the split pattern, the steps.
    [[nodiscard]] virtual std::vector<TokenizerFact> facts() const { return {}; }

    /// A decoder of one sequence. The tokenizer outlives it.
    [[nodiscard]] virtual std::unique_ptr<StreamDecoder> stream() const = 0;

    /// Names the file that it was read from: errors of the vocabulary name it.
    void setFile(std::string name) { file = std::move(name); }

  private:
    /// `text` is UTF-8 and no longer than maxTextBytes.
    [[nodiscard]] virtual core::Result<std::vector<TokenId>> encodeText(std::string_view text,
                                                                        SpecialTokens special) const = 0;
    /// All ids are below vocabularySize().
    [[nodiscard]] virtual core::Result<std::string> decodeIds(std::span<const TokenId> ids) const = 0;

    std::string file;
};

/// Text token by token: never half a character. The tokenizer outlives it.
class TokenStream {
  public:
    explicit TokenStream(const Tokenizer& tokenizer);

    /// What can be shown now. Errors: InvalidArgument (an id that is not below vocabularySize()).
    [[nodiscard]] core::Result<std::string> push(TokenId id);
    /// What was held back. The stream then starts anew.
    [[nodiscard]] std::string flush();

  private:
    std::size_t size;
    std::unique_ptr<StreamDecoder> decoder;
};

/// Opens a tokenizer file, or a folder with a Hugging Face tokenizer.json. Formats are told apart as
/// ExecuTorch's runner does: a file named tekken.json; else by content Hugging Face, tiktoken, SentencePiece,
/// llama2.c. Errors: Io; Format, Limit and Unsupported (a component that we do not know) with the place.
[[nodiscard]] core::Result<std::unique_ptr<Tokenizer>> openTokenizer(const std::string& path);

/// The same for bytes that are in memory; `name` stands for the path, and decides whether they are a
/// tekken.json. A Hugging Face tokenizer has no tokenizer_config.json beside it.
[[nodiscard]] core::Result<std::unique_ptr<Tokenizer>> openTokenizerBytes(std::string_view bytes,
                                                                          const std::string& name);

}  // namespace et::inspector
