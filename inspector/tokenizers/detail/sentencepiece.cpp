#include "inspector/tokenizers/detail/formats.h"
#include "inspector/tokenizers/detail/sentencepiece_model.h"
#include "inspector/tokenizers/detail/utf8_stream.h"

#include <fmt/format.h>
#include <sentencepiece_processor.h>

#include <array>
#include <charconv>
#include <utility>

namespace et::inspector::tokenizers::detail {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::string_view spaceSymbol = "\xE2\x96\x81";
constexpr std::array<std::string_view, 4> modelTypes{"unigram", "bpe", "word", "char"};
/// Suppresses the library's log on stderr; we report errors ourselves.
constexpr int onlyFatal = 3;

std::string withSpaces(std::string_view piece) {
    std::string text;
    for (std::size_t at = 0; at < piece.size();) {
        if (piece.substr(at).starts_with(spaceSymbol)) {
            text += ' ';
            at += spaceSymbol.size();
        } else {
            text += piece[at++];
        }
    }
    return text;
}

/// Decodes as the library does: removes the leading space of the text if encoding added one, omits control
/// tokens, and combines bytes to characters.
class SentencePieceStream final : public StreamDecoder {
  public:
    explicit SentencePieceStream(const SentencePieceModel& of) : model(of) {}

    [[nodiscard]] Result<std::string> push(TokenId id) override {
        const auto& [piece, kind] = model.pieces[id];
        if (kind == PieceKind::Byte) {
            unsigned char byte = 0;
            std::from_chars(piece.data() + 3, piece.data() + 5, byte, 16);
            return note(bytes.push(std::string(1, static_cast<char>(byte))));
        }
        std::string text = note(bytes.flush());
        atStart = atStart && !spaceSeen;
        text += note(surface(piece, kind));
        return text;
    }

    [[nodiscard]] std::string flush() override {
        std::string text = bytes.flush();
        atStart = true;
        spaceSeen = false;
        return text;
    }

  private:
    /// Records that text was emitted, so the following is not at the start.
    std::string note(std::string text) {
        atStart = atStart && text.empty();
        return text;
    }

    [[nodiscard]] std::string surface(std::string_view piece, PieceKind kind) {
        spaceSeen = false;
        if (kind == PieceKind::Control) {
            return {};
        }
        if (kind == PieceKind::Unknown) {
            return model.unknownSurface;
        }
        if (atStart && (model.dummyPrefix || model.removeExtraSpaces) && piece.starts_with(spaceSymbol)) {
            piece.remove_prefix(spaceSymbol.size());
            spaceSeen = !model.removeExtraSpaces;
        }
        return withSpaces(piece);
    }

    const SentencePieceModel& model;
    Utf8Stream bytes{Replace::Bytes};
    bool atStart = true;     ///< no text emitted yet
    bool spaceSeen = false;  ///< the last piece's space was removed; no further one is
};

class SentencePieceTokenizer final : public Tokenizer {
  public:
    explicit SentencePieceTokenizer(SentencePieceModel read) : model(std::move(read)) {}
    /// Errors: Format (with the library's message).
    [[nodiscard]] Result<> load(std::string_view bytes);

    [[nodiscard]] std::string_view format() const override { return "sentencepiece"; }
    [[nodiscard]] std::size_t vocabularySize() const override { return model.pieces.size(); }
    [[nodiscard]] std::optional<TokenId> bos() const override { return idOrNothing(processor.bos_id()); }
    [[nodiscard]] std::vector<TokenId> eos() const override {
        const auto id = idOrNothing(processor.eos_id());
        return id ? std::vector{*id} : std::vector<TokenId>();
    }
    [[nodiscard]] bool readsSpecialTokens() const override { return false; }
    [[nodiscard]] std::string piece(TokenId id) const override {
        return id < model.pieces.size() ? model.pieces[id].text : std::string();
    }
    [[nodiscard]] std::optional<TokenId> find(std::string_view piece) const override {
        const auto id = idOrNothing(processor.PieceToId(piece));
        return id && *id < model.pieces.size() && model.pieces[*id].text == piece ? id : std::nullopt;
    }
    [[nodiscard]] bool isSpecial(TokenId id) const override {
        return id < model.pieces.size() &&
               (model.pieces[id].kind == PieceKind::Control || model.pieces[id].kind == PieceKind::Unknown);
    }
    [[nodiscard]] std::vector<TokenizerFact> facts() const override {
        return {{.name = "model", .value = std::string(modelTypes[model.modelType - 1])},
                {.name = "normalizer", .value = model.normalizer.empty() ? "none" : model.normalizer},
                {.name = "byte fallback", .value = model.byteFallback ? "yes" : "no"}};
    }
    [[nodiscard]] std::unique_ptr<StreamDecoder> stream() const override {
        return std::make_unique<SentencePieceStream>(model);
    }

  private:
    static std::optional<TokenId> idOrNothing(int id) {
        return id < 0 ? std::nullopt : std::optional(static_cast<TokenId>(id));
    }
    [[nodiscard]] Result<std::vector<TokenId>> encodeText(std::string_view text,
                                                          SpecialTokens special) const override;
    [[nodiscard]] Result<std::string> decodeIds(std::span<const TokenId> ids) const override;

    SentencePieceModel model;
    sentencepiece::SentencePieceProcessor processor;
};

Result<> SentencePieceTokenizer::load(std::string_view bytes) {
    try {
        sentencepiece::SetMinLogLevel(onlyFatal);
        const auto status = processor.LoadFromSerializedProto(bytes);
        if (!status.ok()) {
            return fail(ErrorCode::Format, fmt::format("SentencePiece: {}", status.message()));
        }
    } catch (const std::exception& error) {
        return fail(ErrorCode::Format, fmt::format("SentencePiece: {}", error.what()));
    }
    if (static_cast<std::size_t>(processor.GetPieceSize()) != model.pieces.size()) {
        return fail(ErrorCode::Format, "SentencePiece reads a different number of pieces");
    }
    return {};
}

Result<std::vector<TokenId>> SentencePieceTokenizer::encodeText(std::string_view text,
                                                                SpecialTokens /*none*/) const {
    std::vector<int> ids;
    try {
        if (const auto status = processor.Encode(text, &ids); !status.ok()) {
            return fail(ErrorCode::Format, fmt::format("SentencePiece: {}", status.message()));
        }
    } catch (const std::exception& error) {
        return fail(ErrorCode::Limit, fmt::format("SentencePiece: {}", error.what()));
    }
    return std::vector<TokenId>(ids.begin(), ids.end());
}

Result<std::string> SentencePieceTokenizer::decodeIds(std::span<const TokenId> ids) const {
    SentencePieceStream text(model);
    std::string all;
    for (const TokenId id : ids) {
        ET_ASSIGN(const std::string part, text.push(id));
        all += part;
    }
    return all + text.flush();
}

}  // namespace

bool looksLikeSentencePiece(std::string_view bytes) {
    // The first field of a ModelProto is a piece such as <unk>: tag 0x0A, its size, tag 0x0A of the text.
    return bytes.size() > 4 && bytes[0] == '\x0A' && bytes[2] == '\x0A';
}

OpenedTokenizer openSentencePiece(std::string_view bytes) {
    ET_ASSIGN(SentencePieceModel model, readSentencePieceModel(bytes));
    auto tokenizer = std::make_unique<SentencePieceTokenizer>(std::move(model));
    ET_TRY(tokenizer->load(bytes));
    return tokenizer;
}

}  // namespace et::inspector::tokenizers::detail
