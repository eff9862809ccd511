#include "inspector/tokenizers/detail/byte_alphabet.h"
#include "inspector/tokenizers/detail/hf_pattern.h"
#include "inspector/tokenizers/detail/hf_sequence.h"
#include "inspector/tokenizers/detail/unicode.h"
#include "inspector/tokenizers/detail/utf8_stream.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <functional>
#include <utility>

namespace et::inspector::tokenizers::detail {
namespace {

using core::Result;
using DecoderResult = Result<std::unique_ptr<TokenDecoder>>;
using Tokens = std::vector<std::string>;

/// A decoder implemented by a function.
class SimpleDecoder final : public TokenDecoder {
  public:
    using Function = std::function<Result<>(Tokens&)>;
    explicit SimpleDecoder(Function of) : function(std::move(of)) {}

    [[nodiscard]] Result<> apply(Tokens& tokens) const override { return function(tokens); }

  private:
    Function function;
};

DecoderResult simpleDecoder(SimpleDecoder::Function function) {
    return std::make_unique<SimpleDecoder>(std::move(function));
}

std::string joined(const Tokens& tokens) {
    std::string all;
    for (const std::string& token : tokens) {
        all += token;
    }
    return all;
}

class ByteLevelDecoder final : public TokenDecoder {
  public:
    [[nodiscard]] Result<> apply(Tokens& tokens) const override {
        std::string bytes;
        for (const std::string& token : tokens) {
            bytes += bytesOfCharacters(token).value_or(token);
        }
        tokens = {utf8Lossy(bytes, Replace::Sequences)};
        return {};
    }
    [[nodiscard]] std::optional<std::string> bytesOf(std::string_view token) const override {
        std::optional<std::string> bytes = bytesOfCharacters(token);
        return bytes ? std::move(bytes) : std::string(token);
    }
};

DecoderResult makeByteLevelDecoder(const JsonField& /*json*/) {
    return std::make_unique<ByteLevelDecoder>();
}

DecoderResult makeMetaspaceDecoder(const JsonField& json) {
    ET_ASSIGN(const auto replacement, json.textOr("replacement", "\xE2\x96\x81"));
    ET_ASSIGN(const bool addPrefixSpace, json.booleanOr("add_prefix_space", true));
    ET_ASSIGN(const auto scheme, json.textOr("prepend_scheme", addPrefixSpace ? "always" : "never"));
    return simpleDecoder(
        [symbol = std::string(replacement), prepends = scheme != "never"](Tokens& tokens) -> Result<> {
            for (std::size_t i = 0; i < tokens.size(); ++i) {
                ET_ASSIGN(tokens[i], replacedText(tokens[i], symbol, i == 0 && prepends ? "" : " "));
            }
            return {};
        });
}

DecoderResult makeWordPieceDecoder(const JsonField& json) {
    ET_ASSIGN(const auto prefix, json.textOr("prefix", "##"));
    ET_ASSIGN(const bool cleanup, json.booleanOr("cleanup", true));
    return simpleDecoder([prefix = std::string(prefix), cleanup](Tokens& tokens) -> Result<> {
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            std::string& token = tokens[i];
            if (i > 0) {
                token = token.starts_with(prefix) ? token.substr(prefix.size()) : " " + token;
            }
            if (cleanup) {
                ET_ASSIGN(token, tidied(token));
            }
        }
        return {};
    });
}

/// Parses the byte of "<0x0A>".
std::optional<char> byteOfFallback(std::string_view token) {
    unsigned char byte = 0;
    if (token.size() != 6 || !token.starts_with("<0x") || !token.ends_with('>') ||
        std::from_chars(token.data() + 3, token.data() + 5, byte, 16).ptr != token.data() + 5) {
        return std::nullopt;
    }
    return static_cast<char>(byte);
}

/// Replaces sequences of byte tokens by their text if they are valid UTF-8, else each by U+FFFD.
DecoderResult makeByteFallback(const JsonField& /*json*/) {
    return simpleDecoder([](Tokens& tokens) -> Result<> {
        Tokens out;
        std::string run;
        const auto flush = [&] {
            if (!run.empty()) {
                std::string text = utf8Lossy(run, Replace::Bytes);
                if (text != run) {
                    text.clear();
                    for (std::size_t i = 0; i < run.size(); ++i) {
                        text += replacementCharacter;
                    }
                }
                out.push_back(std::move(text));
                run.clear();
            }
        };
        for (std::string& token : tokens) {
            if (const auto byte = byteOfFallback(token)) {
                run += *byte;
                continue;
            }
            flush();
            out.push_back(std::move(token));
        }
        flush();
        tokens = std::move(out);
        return {};
    });
}

DecoderResult makeFuse(const JsonField& /*json*/) {
    return simpleDecoder([](Tokens& tokens) -> Result<> {
        tokens = {joined(tokens)};
        return {};
    });
}

/// Removes up to `count` occurrences of `content` at the start of a token.
void dropAtStart(std::string& token, std::string_view content, std::uint64_t count) {
    std::size_t cut = 0;
    for (; count > 0 && std::string_view(token).substr(cut).starts_with(content); --count) {
        cut += content.size();
    }
    token.erase(0, cut);
}

void dropAtEnd(std::string& token, std::string_view content, std::uint64_t count) {
    for (; count > 0 && token.ends_with(content); --count) {
        token.resize(token.size() - content.size());
    }
}

DecoderResult makeStripDecoder(const JsonField& json) {
    constexpr std::uint64_t most = 1'000'000;
    ET_ASSIGN(const JsonField field, json.member("content"));
    ET_ASSIGN(const auto content, field.text());
    if (content.empty()) {
        return field.expected("a character");
    }
    ET_ASSIGN(const auto start, json.integerOr("start", most, 0));
    ET_ASSIGN(const auto stop, json.integerOr("stop", most, 0));
    return simpleDecoder([content = std::string(content), start, stop](Tokens& tokens) -> Result<> {
        for (std::string& token : tokens) {
            dropAtStart(token, content, start);
            dropAtEnd(token, content, stop);
        }
        return {};
    });
}

DecoderResult makeReplaceDecoder(const JsonField& json) {
    ET_ASSIGN(const JsonField patternField, json.member("pattern"));
    ET_ASSIGN(const JsonField contentField, json.member("content"));
    ET_ASSIGN(const auto content, contentField.text());
    if (const auto literal = patternField.find("String")) {
        ET_ASSIGN(const auto from, literal->text());
        return simpleDecoder(
            [from = std::string(from), to = std::string(content)](Tokens& tokens) -> Result<> {
                for (std::string& token : tokens) {
                    ET_ASSIGN(token, replacedText(token, from, to));
                }
                return {};
            });
    }
    ET_ASSIGN(Regex pattern, readPattern(patternField));
    return simpleDecoder([pattern = std::make_shared<Regex>(std::move(pattern)),
                          to = std::string(content)](Tokens& tokens) -> Result<> {
        for (std::string& token : tokens) {
            ET_ASSIGN(token, replaced(token, *pattern, to));
        }
        return {};
    });
}

/// Replaces the suffix of a word's last token by a space.
DecoderResult makeBpeDecoder(const JsonField& json) {
    ET_ASSIGN(const auto suffix, json.textOr("suffix", "</w>"));
    return simpleDecoder([suffix = std::string(suffix)](Tokens& tokens) -> Result<> {
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            ET_ASSIGN(tokens[i], replacedText(tokens[i], suffix, i + 1 == tokens.size() ? "" : " "));
        }
        return {};
    });
}

using DecoderMaker = StepMaker<TokenDecoder>;
constexpr std::array decoderMakers{
    DecoderMaker{"ByteLevel", makeByteLevelDecoder},
    DecoderMaker{"Metaspace", makeMetaspaceDecoder},
    DecoderMaker{"WordPiece", makeWordPieceDecoder},
    DecoderMaker{"ByteFallback", makeByteFallback},
    DecoderMaker{"Fuse", makeFuse},
    DecoderMaker{"Strip", makeStripDecoder},
    DecoderMaker{"Replace", makeReplaceDecoder},
    DecoderMaker{"BPEDecoder", makeBpeDecoder},
};

}  // namespace

Result<std::string> tidied(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 11> tidyings{{{" .", "."},
                                                                                      {" ?", "?"},
                                                                                      {" !", "!"},
                                                                                      {" ,", ","},
                                                                                      {" ' ", "'"},
                                                                                      {" n't", "n't"},
                                                                                      {" 'm", "'m"},
                                                                                      {" do not", " don't"},
                                                                                      {" 's", "'s"},
                                                                                      {" 've", "'ve"},
                                                                                      {" 're", "'re"}}};
    std::string out(text);
    for (const auto& [from, to] : tidyings) {
        ET_ASSIGN(out, replacedText(out, from, to));
    }
    return out;
}

DecoderResult makeTokenDecoder(const JsonField& json) {
    return makeStep<TokenDecoder>(json, "decoders", decoderMakers);
}

}  // namespace et::inspector::tokenizers::detail
