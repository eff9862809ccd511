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

/// Interpretation of "<|eot_id|>" in a text.
enum class SpecialTokens : std::uint8_t {
    Recognised,  ///< the special token
    PlainText,   ///< the characters
};

/// Decodes one sequence token by token; see TokenStream.
class StreamDecoder {
  public:
    StreamDecoder() = default;
    StreamDecoder(const StreamDecoder&) = delete;
    StreamDecoder& operator=(const StreamDecoder&) = delete;
    virtual ~StreamDecoder() = default;

    /// Returns the text completed by the token. `id` must be below the tokenizer's vocabularySize().
    [[nodiscard]] virtual core::Result<std::string> push(TokenId id) = 0;
    /// Returns held-back text, with an incomplete character as U+FFFD, and resets the stream.
    [[nodiscard]] virtual std::string flush() = 0;
};

/// Converts text to token ids and back, according to a tokenizer file. Immutable and thread-safe.
class Tokenizer {
  public:
    /// Maximum size of a text in bytes.
    static constexpr std::size_t maxTextBytes = std::size_t{1} << 29;

    Tokenizer() = default;
    Tokenizer(const Tokenizer&) = delete;
    Tokenizer& operator=(const Tokenizer&) = delete;
    virtual ~Tokenizer() = default;

    /// "hf-bpe", "hf-unigram", "hf-wordpiece", "hf-wordlevel", "sentencepiece", "tiktoken", "tekken",
    /// "llama2c".
    [[nodiscard]] virtual std::string_view format() const = 0;
    /// Upper bound of the ids. Some ids below it may be unused.
    [[nodiscard]] virtual std::size_t vocabularySize() const = 0;
    [[nodiscard]] virtual std::optional<TokenId> bos() const = 0;
    [[nodiscard]] virtual std::vector<TokenId> eos() const = 0;
    /// Whether encode() respects SpecialTokens; SentencePiece and llama2.c always read plain text.
    [[nodiscard]] virtual bool readsSpecialTokens() const = 0;

    /// Encodes a text, without BOS, EOS or template. Errors: InvalidArgument (invalid UTF-8), Limit (more
    /// than maxTextBytes, a pattern that backtracks too much), Format (the vocabulary lacks a required
    /// token).
    [[nodiscard]] core::Result<std::vector<TokenId>> encode(
        std::string_view text, SpecialTokens special = SpecialTokens::Recognised) const;

    /// Decodes ids, with special tokens as written. The result is always UTF-8: bytes that are not part of a
    /// character become U+FFFD, as in the format's own library. Errors: InvalidArgument (an id not below
    /// vocabularySize()).
    [[nodiscard]] core::Result<std::string> decode(std::span<const TokenId> ids) const;

    /// The token as written in the vocabulary, for display: "Ġthe", "▁the", "<0x0A>". Empty for an unused id.
    [[nodiscard]] virtual std::string piece(TokenId id) const = 0;
    /// The id of a token as written in the vocabulary.
    [[nodiscard]] virtual std::optional<TokenId> find(std::string_view piece) const = 0;

    /// Whether it is a special token, which does not represent text (BOS, the start of a turn).
    [[nodiscard]] virtual bool isSpecial(TokenId id) const = 0;

    /// Ids that the file's template adds before and after a single text ("[CLS]" and "[SEP]"). Used by
    /// training and Hugging Face's library, but not by ExecuTorch's runner.
    struct Template {
        std::vector<TokenId> before;
        std::vector<TokenId> after;
    };
    [[nodiscard]] virtual Template ownTemplate() const { return {}; }

    /// Settings of the file that encode() does not apply, as ExecuTorch's runner does not: "truncation",
    /// "padding" (Hugging Face's library applies both).
    [[nodiscard]] virtual std::vector<std::string> unapplied() const { return {}; }

    /// Creates a decoder of one sequence. The tokenizer must outlive it.
    [[nodiscard]] virtual std::unique_ptr<StreamDecoder> stream() const = 0;

    /// Sets the file name used in errors of the vocabulary.
    void setFile(std::string name) { file = std::move(name); }

  private:
    /// `text` is valid UTF-8 and no longer than maxTextBytes.
    [[nodiscard]] virtual core::Result<std::vector<TokenId>> encodeText(std::string_view text,
                                                                        SpecialTokens special) const = 0;
    /// All ids are below vocabularySize().
    [[nodiscard]] virtual core::Result<std::string> decodeIds(std::span<const TokenId> ids) const = 0;

    std::string file;
};

/// Decodes token by token without splitting characters. The tokenizer must outlive it.
class TokenStream {
  public:
    explicit TokenStream(const Tokenizer& tokenizer);

    /// Returns the text that is complete. Errors: InvalidArgument (an id not below vocabularySize()).
    [[nodiscard]] core::Result<std::string> push(TokenId id);
    /// Returns held-back text and resets the stream.
    [[nodiscard]] std::string flush();

  private:
    std::size_t size;
    std::unique_ptr<StreamDecoder> decoder;
};

/// Opens a tokenizer file, or a folder with a Hugging Face tokenizer.json. Formats are detected as by
/// ExecuTorch's runner: a file named tekken.json; otherwise by content, Hugging Face, tiktoken,
/// SentencePiece, llama2.c. Errors: Io; Format, Limit and Unsupported (an unknown component) with the
/// position.
[[nodiscard]] core::Result<std::unique_ptr<Tokenizer>> openTokenizer(const std::string& path);

/// As above, for bytes in memory. `name` replaces the path, and determines whether they are a tekken.json. A
/// Hugging Face tokenizer is read without tokenizer_config.json.
[[nodiscard]] core::Result<std::unique_ptr<Tokenizer>> openTokenizerBytes(std::string_view bytes,
                                                                          const std::string& name);

}  // namespace et::inspector
