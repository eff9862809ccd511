#include "inspector/tokenizers/detail/charsmap.h"
#include "inspector/tokenizers/detail/formats.h"
#include "inspector/tokenizers/detail/utf8_stream.h"
#include "runtime/core/result.h"

#include <fmt/format.h>
#include <sentencepiece_processor.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace et::inspector::tokenizers::detail {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// SentencePiece's piece types, with its numbers.
enum class PieceKind : std::uint8_t { Normal = 1, Unknown, Control, UserDefined, Unused, Byte };

/// Contents of a SentencePiece model file (a ModelProto message), parsed and validated before SentencePiece's
/// own library reads it, which trusts its tries and throws on unusual pieces.
struct SentencePieceModel {
    struct Piece {
        std::string text;
        PieceKind kind = PieceKind::Normal;
    };
    std::vector<Piece> pieces;
    std::uint64_t modelType = 1;  ///< 1 unigram, 2 BPE, 3 word, 4 char
    bool byteFallback = false;
    std::string unknownSurface = " \xE2\x81\x87 ";  ///< decoded text of an unknown token
    bool dummyPrefix = true;
    bool removeExtraSpaces = true;
    std::string charsMap;
    std::string denormalizerMap;
};

/// Maximum size of a piece's text in bytes.
constexpr std::size_t maxPieceBytes = 4096;

bool isText(std::string_view bytes) {
    return bytes.size() <= maxPieceBytes && utf8Lossy(bytes, Replace::Bytes) == bytes;
}

/// A field in the protocol buffers wire format.
struct WireField {
    std::uint64_t number = 0;
    std::uint64_t integer = 0;  ///< value of a varint
    std::string_view bytes;     ///< contents of a text or message
    bool isBytes = false;
    std::size_t offset = 0;  ///< position in the file
};

/// Reads the fields of a message in order.
class WireReader {
  public:
    WireReader(std::string_view message, std::string of, std::size_t origin)
        : bytes(message), name(std::move(of)), start(origin) {}

    /// The next field; nothing at the end. Errors: Format.
    [[nodiscard]] Result<std::optional<WireField>> next();

  private:
    [[nodiscard]] Result<std::uint64_t> varint();
    [[nodiscard]] std::unexpected<core::Error> broken(std::string_view what) const {
        return fail(ErrorCode::Format, std::string(what), {.field = name, .offset = start + at});
    }

    std::string_view bytes;
    std::string name;
    std::size_t start;
    std::size_t at = 0;
};

Result<std::uint64_t> WireReader::varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (at == bytes.size()) {
            return broken("the file ends within a number");
        }
        const auto byte = static_cast<unsigned char>(bytes[at++]);
        value |= std::uint64_t{byte & 0x7FU} << shift;
        if ((byte & 0x80) == 0) {
            return value;
        }
    }
    return broken("a number of more than 64 bits");
}

Result<std::optional<WireField>> WireReader::next() {
    if (at == bytes.size()) {
        return std::nullopt;
    }
    WireField field;
    field.offset = start + at;
    ET_ASSIGN(const std::uint64_t tag, varint());
    field.number = tag >> 3;
    std::uint64_t size = 0;
    switch (tag & 7) {
        case 0: {
            ET_ASSIGN(field.integer, varint());
            return field;
        }
        case 1:
            size = 8;
            break;
        case 5:
            size = 4;
            break;
        case 2: {
            ET_ASSIGN(size, varint());
            field.isBytes = true;
            break;
        }
        default:
            return broken("not a protocol buffer");
    }
    if (field.number == 0 || size > bytes.size() - at) {
        return broken(fmt::format("a field of {} bytes exceeds the remaining data", size));
    }
    field.bytes = bytes.substr(at, size);
    at += size;
    return field;
}

/// Calls `take(field)` for each field of a message.
template <class Take>
Result<> eachWireField(std::string_view message, const std::string& name, std::size_t origin,
                       const Take& take) {
    WireReader reader(message, name, origin);
    while (true) {
        ET_ASSIGN(const std::optional<WireField> field, reader.next());
        if (!field) {
            return {};
        }
        ET_TRY(take(*field));
    }
}

std::size_t originOf(const WireField& message, std::string_view whole) {
    return static_cast<std::size_t>(message.bytes.data() - whole.data());
}

Result<> readPiece(const WireField& message, std::string_view whole, SentencePieceModel& model) {
    const std::string name = fmt::format("pieces[{}]", model.pieces.size());
    SentencePieceModel::Piece piece;
    ET_TRY(
        eachWireField(message.bytes, name, originOf(message, whole), [&](const WireField& field) -> Result<> {
            if (field.number == 1 && field.isBytes) {
                piece.text = field.bytes;
            } else if (field.number == 3) {
                if (field.integer < 1 || field.integer > 6) {
                    return fail(ErrorCode::Unsupported, fmt::format("unknown type {}", field.integer),
                                {.field = name, .offset = field.offset});
                }
                piece.kind = static_cast<PieceKind>(field.integer);
            }
            return {};
        }));
    if (piece.text.empty() || piece.text.contains('\0') || !isText(piece.text)) {
        return fail(ErrorCode::Format, fmt::format("expected a string of 1 to {} bytes", maxPieceBytes),
                    {.field = name, .offset = message.offset});
    }
    if (model.pieces.size() >= maxTokens) {
        return fail(ErrorCode::Limit, fmt::format("more than {} pieces", maxTokens), {.field = "pieces"});
    }
    model.pieces.push_back(std::move(piece));
    return {};
}

Result<> readTrainer(const WireField& message, std::string_view whole, SentencePieceModel& model) {
    return eachWireField(message.bytes, "trainer_spec", originOf(message, whole),
                         [&](const WireField& field) -> Result<> {
                             if (field.number == 3) {
                                 model.modelType = field.integer;
                             } else if (field.number == 35) {
                                 model.byteFallback = field.integer != 0;
                             } else if (field.number == 44 && field.isBytes) {
                                 model.unknownSurface = field.bytes;
                             }
                             return {};
                         });
}

Result<> readNormalizer(const WireField& message, std::string_view whole, SentencePieceModel& model) {
    return eachWireField(message.bytes, "normalizer_spec", originOf(message, whole),
                         [&](const WireField& field) -> Result<> {
                             if (field.number == 2 && field.isBytes) {
                                 model.charsMap = field.bytes;
                             } else if (field.number == 3) {
                                 model.dummyPrefix = field.integer != 0;
                             } else if (field.number == 4) {
                                 model.removeExtraSpaces = field.integer != 0;
                             }
                             return {};
                         });
}

Result<> readDenormalizer(const WireField& message, std::string_view whole, SentencePieceModel& model) {
    return eachWireField(message.bytes, "denormalizer_spec", originOf(message, whole),
                         [&](const WireField& field) -> Result<> {
                             if (field.number == 2 && field.isBytes) {
                                 model.denormalizerMap = field.bytes;
                             }
                             return {};
                         });
}

bool isBytePiece(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    return text.size() == 6 && text.starts_with("<0x") && text.ends_with('>') && digits.contains(text[3]) &&
           digits.contains(text[4]);
}

/// Checks assumptions of the library.
Result<> checkPieces(const SentencePieceModel& model) {
    std::unordered_set<std::string_view> seen;
    std::size_t unknowns = 0;
    std::size_t bytes = 0;
    for (std::size_t id = 0; id < model.pieces.size(); ++id) {
        const auto& [text, kind] = model.pieces[id];
        const std::string field = fmt::format("pieces[{}]", id);
        if (!seen.insert(text).second) {
            return fail(ErrorCode::Format, fmt::format("duplicate \"{}\"", text), {.field = field});
        }
        unknowns += kind == PieceKind::Unknown ? 1 : 0;
        bytes += kind == PieceKind::Byte ? 1 : 0;
        if (kind == PieceKind::Byte && (!model.byteFallback || !isBytePiece(text))) {
            return fail(ErrorCode::Format, fmt::format("\"{}\" is not a byte of byte_fallback", text),
                        {.field = field});
        }
    }
    if (unknowns != 1) {
        return fail(ErrorCode::Format, fmt::format("expected one unknown piece, got {}", unknowns),
                    {.field = "pieces"});
    }
    if (model.byteFallback && bytes != 256) {
        return fail(ErrorCode::Format, fmt::format("expected 256 byte pieces, got {}", bytes),
                    {.field = "pieces"});
    }
    return {};
}

Result<> checkMap(std::string_view map, std::string_view field) {
    if (map.empty()) {
        return {};
    }
    auto opened = CharsMap::open(map);
    if (!opened) {
        core::Error error = std::move(opened).error();
        error.where = {.field = std::string(field)};
        return std::unexpected(std::move(error));
    }
    return {};
}

/// Errors: Format, Limit, Unsupported (an unknown model type or denormalizer), with the field.
Result<SentencePieceModel> readSentencePieceModel(std::string_view bytes) {
    SentencePieceModel model;
    ET_TRY(eachWireField(bytes, "model", 0, [&](const WireField& field) -> Result<> {
        switch (field.isBytes ? field.number : 0) {
            case 1:
                return readPiece(field, bytes, model);
            case 2:
                return readTrainer(field, bytes, model);
            case 3:
                return readNormalizer(field, bytes, model);
            case 5:
                return readDenormalizer(field, bytes, model);
            default:
                return {};
        }
    }));
    if (model.modelType < 1 || model.modelType > 4) {
        return fail(ErrorCode::Unsupported, fmt::format("unknown model type {}", model.modelType),
                    {.field = "trainer_spec.model_type"});
    }
    if (!model.denormalizerMap.empty()) {
        return fail(ErrorCode::Unsupported, "denormalizers are not supported by this version",
                    {.field = "denormalizer_spec.precompiled_charsmap"});
    }
    if (!isText(model.unknownSurface)) {
        return fail(ErrorCode::Format, fmt::format("expected a string of at most {} bytes", maxPieceBytes),
                    {.field = "trainer_spec.unk_surface"});
    }
    ET_TRY(checkMap(model.charsMap, "normalizer_spec.precompiled_charsmap"));
    ET_TRY(checkPieces(model));
    return model;
}

constexpr std::string_view spaceSymbol = "\xE2\x96\x81";
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
