#include "inspector/tokenizers/detail/formats.h"
#include "inspector/tokenizers/detail/merge.h"
#include "inspector/tokenizers/detail/safe_cuts.h"
#include "inspector/tokenizers/detail/utf8_stream.h"
#include "inspector/tokenizers/detail/word_cache.h"
#include "runtime/core/byte_reader.h"
#include "runtime/core/utf8.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace et::inspector::tokenizers::detail {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Ids 0, 1 and 2 are <unk>, BOS and EOS; byte tokens start after them.
constexpr TokenId firstByteToken = 3;
constexpr TokenId nothing = UINT32_MAX;  ///< before the first token
constexpr std::string_view paddingPiece = "<pad>";

struct Llama2cVocabulary {
    std::vector<std::string> pieces;
    std::vector<float> scores;
    TokenId bos = 0;
    TokenId eos = 0;
};

/// The byte encoded by "<0x0A>".
std::optional<char> byteOfPiece(std::string_view piece) {
    constexpr std::string_view start = "<0x";
    unsigned char value = 0;
    if (!piece.starts_with(start) || piece.size() == start.size()) {
        return std::nullopt;
    }
    const char* digits = piece.data() + start.size();
    const char* end = digits + std::min<std::size_t>(2, piece.size() - start.size());
    if (std::from_chars(digits, end, value, 16).ptr == digits) {
        return std::nullopt;
    }
    return static_cast<char>(value);
}

/// The text of a token after another: a token after BOS loses its leading space.
std::string bytesBehind(const Llama2cVocabulary& vocabulary, TokenId previous, TokenId id) {
    std::string_view piece = vocabulary.pieces[id];
    if (previous == vocabulary.bos && piece.starts_with(' ')) {
        piece.remove_prefix(1);
    }
    const std::optional<char> byte = byteOfPiece(piece);
    return byte ? std::string(1, *byte) : std::string(piece);
}

class Llama2cStream final : public StreamDecoder {
  public:
    explicit Llama2cStream(const Llama2cVocabulary& of) : vocabulary(of) {}

    [[nodiscard]] Result<std::string> push(TokenId id) override {
        return text.push(bytesBehind(vocabulary, std::exchange(previous, id), id));
    }
    [[nodiscard]] std::string flush() override {
        previous = nothing;
        return text.flush();
    }

  private:
    const Llama2cVocabulary& vocabulary;
    TokenId previous = nothing;
    Utf8Stream text{Replace::Sequences};
};

class Llama2cTokenizer final : public Tokenizer {
  public:
    explicit Llama2cTokenizer(Llama2cVocabulary read);

    [[nodiscard]] std::string_view format() const override { return "llama2c"; }
    [[nodiscard]] std::size_t vocabularySize() const override { return vocabulary.pieces.size(); }
    [[nodiscard]] std::optional<TokenId> bos() const override { return vocabulary.bos; }
    [[nodiscard]] std::vector<TokenId> eos() const override { return {vocabulary.eos}; }
    [[nodiscard]] bool readsSpecialTokens() const override { return false; }
    [[nodiscard]] std::string piece(TokenId id) const override {
        return id < vocabulary.pieces.size() ? vocabulary.pieces[id] : std::string();
    }
    [[nodiscard]] std::optional<TokenId> find(std::string_view piece) const override;
    [[nodiscard]] bool isSpecial(TokenId id) const override {
        return id == vocabulary.bos || id == vocabulary.eos;
    }
    [[nodiscard]] std::unique_ptr<StreamDecoder> stream() const override {
        return std::make_unique<Llama2cStream>(vocabulary);
    }

  private:
    [[nodiscard]] Result<std::vector<TokenId>> encodeText(std::string_view text,
                                                          SpecialTokens special) const override;
    [[nodiscard]] Result<std::string> decodeIds(std::span<const TokenId> ids) const override;
    /// Appends the tokens of a part of the text, starting with `prefix` if given.
    [[nodiscard]] Result<> encodePart(std::optional<TokenId> prefix, std::string_view part,
                                      std::vector<TokenId>& ids) const;

    Llama2cVocabulary vocabulary;
    TextMap<TokenId> idOf;
    SafeCuts cuts;
    mutable WordCache cache;
};

Llama2cTokenizer::Llama2cTokenizer(Llama2cVocabulary read) : vocabulary(std::move(read)) {
    for (TokenId id = 0; id < vocabulary.pieces.size(); ++id) {
        idOf.emplace(vocabulary.pieces[id], id);
        cuts.add(vocabulary.pieces[id]);
    }
}

std::optional<TokenId> Llama2cTokenizer::find(std::string_view piece) const {
    const auto found = idOf.find(piece);
    return found == idOf.end() ? std::nullopt : std::optional(found->second);
}

Result<> Llama2cTokenizer::encodePart(std::optional<TokenId> prefix, std::string_view part,
                                      std::vector<TokenId>& ids) const {
    std::vector<Symbol> symbols;
    if (prefix) {
        symbols.push_back({.id = *prefix, .begin = 0, .size = 1});
    }
    for (std::size_t at = 0; at < part.size();) {
        const std::string_view character = part.substr(at, core::utf8SequenceLength(part.substr(at)));
        at += character.size();
        if (const auto id = find(character)) {
            symbols.push_back({.id = *id, .begin = 0, .size = 1});
            continue;
        }
        for (const char byte : character) {
            const TokenId id = firstByteToken + static_cast<unsigned char>(byte);
            if (id >= vocabulary.pieces.size()) {
                return fail(ErrorCode::Format,
                            fmt::format("the vocabulary of {} has no token for byte {}",
                                        vocabulary.pieces.size(), static_cast<unsigned char>(byte)));
            }
            symbols.push_back({.id = id, .begin = 0, .size = 1});
        }
    }
    std::string both;
    mergeSymbols<float>(symbols,
                        [&](const Symbol& left, const Symbol& right) -> std::optional<Merged<float>> {
                            constexpr float lowest = -1e10F;
                            both.assign(vocabulary.pieces[left.id]).append(vocabulary.pieces[right.id]);
                            const auto id = find(both);
                            return id && vocabulary.scores[*id] > lowest
                                       ? std::optional(Merged<float>{-vocabulary.scores[*id], *id})
                                       : std::nullopt;
                        });
    for (const Symbol& symbol : symbols) {
        ids.push_back(symbol.id);
    }
    return {};
}

Result<std::vector<TokenId>> Llama2cTokenizer::encodeText(std::string_view text,
                                                          SpecialTokens /*none*/) const {
    text = text.substr(0, text.find('\0'));  // the format's own text is NUL-terminated
    std::vector<TokenId> ids;
    if (text.empty()) {
        return ids;
    }
    const auto space = find(" ");
    if (!space) {
        return fail(ErrorCode::Format, "the vocabulary has no token for a space");
    }
    const auto lock = cache.lock();
    // The space prepended to every text may merge with the following characters.
    const std::string start = std::string(" ").append(text.substr(0, cuts.piece(text)));
    ET_TRY(encodePart(*space, std::string_view(start).substr(1), ids));
    for (std::size_t at = start.size() - 1; at < text.size();) {
        const std::string_view part = text.substr(at, cuts.piece(text.substr(at)));
        const std::size_t before = ids.size();
        if (!cache.append(part, ids)) {
            ET_TRY(encodePart(std::nullopt, part, ids));
            cache.note(part, ids, before);
        }
        at += part.size();
    }
    return ids;
}

Result<std::string> Llama2cTokenizer::decodeIds(std::span<const TokenId> ids) const {
    std::string bytes;
    TokenId previous = nothing;
    for (const TokenId id : ids) {
        bytes += bytesBehind(vocabulary, std::exchange(previous, id), id);
    }
    return utf8Lossy(bytes, Replace::Sequences);
}

/// Checks a vocabulary of `size` tokens of which the file contains `present`, so that a small file cannot
/// cause large allocations.
Result<> checkPadding(std::int32_t size, std::int32_t present) {
    constexpr std::int64_t paddingAlways = 65536;
    constexpr std::int64_t paddingPerToken = 16;
    if (size - present > paddingAlways + (paddingPerToken * present)) {
        return fail(ErrorCode::Limit,
                    fmt::format("vocabulary of {} tokens, but the file contains {}", size, present),
                    {.field = "vocab_size", .offset = 0});
    }
    return {};
}

Result<Llama2cVocabulary> readVocabulary(core::ByteReader& file) {
    ET_ASSIGN(const auto size, file.read<std::int32_t>("vocab_size"));
    ET_ASSIGN(const auto bos, file.read<std::int32_t>("bos"));
    ET_ASSIGN(const auto eos, file.read<std::int32_t>("eos"));
    ET_ASSIGN([[maybe_unused]] const auto longest, file.read<std::int32_t>("max_token_length"));
    if (size <= 0 || static_cast<std::size_t>(size) > maxTokens) {
        return fail(ErrorCode::Limit, fmt::format("expected 1 to {} tokens, got {}", maxTokens, size),
                    {.field = "vocab_size", .offset = 0});
    }
    if (bos < 0 || bos >= size || eos < 0 || eos >= size) {
        return fail(ErrorCode::Format,
                    fmt::format("BOS {} or EOS {} is outside the vocabulary of {}", bos, eos, size),
                    {.field = "bos", .offset = 4});
    }
    Llama2cVocabulary result;
    result.bos = static_cast<TokenId>(bos);
    result.eos = static_cast<TokenId>(eos);
    for (std::int32_t id = 0; id < size; ++id) {
        if (file.remaining() < sizeof(float)) {
            ET_TRY(checkPadding(size, id));
            result.pieces.resize(static_cast<std::size_t>(size), std::string(paddingPiece));
            result.scores.resize(static_cast<std::size_t>(size));
            break;
        }
        const std::string field = fmt::format("tokens[{}]", id);
        ET_ASSIGN(const auto score, file.read<std::uint32_t>(field));
        ET_ASSIGN(const auto length, file.read<std::uint32_t>(field));
        ET_ASSIGN(const core::Bytes raw, file.take(length, field));
        const std::string_view piece = core::textOf(raw);
        result.pieces.emplace_back(piece.substr(0, piece.find('\0')));
        result.scores.push_back(std::bit_cast<float>(score));
    }
    return result;
}

}  // namespace

bool looksLikeLlama2c(std::string_view bytes) {
    core::ByteReader file(std::as_bytes(std::span(bytes)));
    const auto number = [&] { return file.read<std::int32_t>("header").value_or(-1); };
    const std::int32_t size = number();
    const std::int32_t bos = number();
    const std::int32_t eos = number();
    const auto isId = [&](std::int32_t id) { return id >= 0 && id < size; };
    return size > 0 && static_cast<std::size_t>(size) <= maxTokens && isId(bos) && isId(eos) && number() >= 0;
}

OpenedTokenizer openLlama2c(std::string_view bytes) {
    core::ByteReader file(std::as_bytes(std::span(bytes)));
    ET_ASSIGN(Llama2cVocabulary vocabulary, readVocabulary(file));
    return std::make_unique<Llama2cTokenizer>(std::move(vocabulary));
}

}  // namespace et::inspector::tokenizers::detail
