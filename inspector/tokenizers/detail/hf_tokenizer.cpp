#include "inspector/tokenizers/detail/call_budget.h"
#include "inspector/tokenizers/detail/formats.h"
#include "inspector/tokenizers/detail/hf_added_tokens.h"
#include "inspector/tokenizers/detail/hf_steps.h"
#include "inspector/tokenizers/detail/json_fields.h"
#include "inspector/tokenizers/detail/utf8_stream.h"
#include "runtime/core/utf8.h"

#include <fmt/format.h>

#include <utility>

namespace et::inspector::tokenizers::detail {
namespace {

using core::Result;

struct SpecialIds {
    std::optional<TokenId> bos;
    std::optional<TokenId> eos;
};

/// "<s>" or {"content": "<s>", ...}.
Result<std::optional<TokenId>> configuredId(const JsonField& config, std::string_view name,
                                            const AddedTokens& added, const TokenModel& model) {
    const auto field = config.find(name);
    if (!field) {
        return std::nullopt;
    }
    std::string_view text;
    if (field->raw().is_object()) {
        ET_ASSIGN(const JsonField content, field->member("content"));
        ET_ASSIGN(text, content.text());
    } else {
        ET_ASSIGN(text, field->text());
    }
    if (const AddedToken* token = added.byContent(text)) {
        return token->id;
    }
    return model.find(text);
}

/// The only added token whose name contains one of the two words.
std::optional<TokenId> onlyNamed(const AddedTokens& added, std::string_view one, std::string_view other) {
    std::optional<TokenId> found;
    for (const AddedToken& token : added.all()) {
        if (token.content.contains(one) || token.content.contains(other)) {
            if (found) {
                return std::nullopt;
            }
            found = token.id;
        }
    }
    return found;
}

/// Determines BOS and EOS from tokenizer_config.json ("" for none), else from the only added token whose name
/// contains "bos" or "begin", "eos" or "end"; if only one of the two is found, both are the same (GPT-2's
/// <|endoftext|>). Errors: Format, Limit (the config), with the file's name in the field.
Result<SpecialIds> readSpecialIds(std::string_view config, const AddedTokens& added,
                                  const TokenModel& model) {
    if (config.empty()) {
        SpecialIds ids{.bos = onlyNamed(added, "bos", "begin"), .eos = onlyNamed(added, "eos", "end")};
        ids.bos = ids.bos ? ids.bos : ids.eos;
        ids.eos = ids.eos ? ids.eos : ids.bos;
        return ids;
    }
    simdjson::dom::parser parser;
    SpecialIds ids;
    const auto read = [&]() -> Result<> {
        ET_ASSIGN(const JsonField root, parseJson(parser, config));
        ET_ASSIGN(ids.bos, configuredId(root, "bos_token", added, model));
        ET_ASSIGN(ids.eos, configuredId(root, "eos_token", added, model));
        return {};
    };
    if (auto done = read(); !done) {
        core::Error error = std::move(done).error();
        error.where.field = error.where.field.empty()
                                ? std::string("tokenizer_config.json")
                                : fmt::format("tokenizer_config.json: {}", error.where.field);
        return std::unexpected(std::move(error));
    }
    return ids;
}

/// Components of a tokenizer.json.
struct HfParts {
    std::unique_ptr<Normalizer> normalizer;
    std::unique_ptr<PreTokenizer> preTokenizer;
    std::unique_ptr<TokenModel> model;
    std::unique_ptr<TokenDecoder> decoder;
    Tokenizer::Template around;
    AddedTokens added;
    SpecialIds ids;
    std::vector<std::string> unapplied;
};

class HfTokenizer final : public Tokenizer {
  public:
    explicit HfTokenizer(HfParts of) : parts(std::move(of)), size(parts.model->pieces().size()) {
        for (const AddedToken& token : parts.added.all()) {
            size = std::max<std::size_t>(size, std::size_t{token.id} + 1);
        }
    }

    [[nodiscard]] std::string_view format() const override { return parts.model->format(); }
    [[nodiscard]] std::size_t vocabularySize() const override { return size; }
    [[nodiscard]] std::optional<TokenId> bos() const override { return parts.ids.bos; }
    [[nodiscard]] std::vector<TokenId> eos() const override {
        return parts.ids.eos ? std::vector{*parts.ids.eos} : std::vector<TokenId>();
    }
    [[nodiscard]] bool readsSpecialTokens() const override { return true; }
    [[nodiscard]] std::string piece(TokenId id) const override;
    [[nodiscard]] std::optional<TokenId> find(std::string_view piece) const override {
        const AddedToken* token = parts.added.byContent(piece);
        return token != nullptr ? std::optional(token->id) : parts.model->find(piece);
    }
    [[nodiscard]] bool isSpecial(TokenId id) const override {
        const AddedToken* token = parts.added.byId(id);
        return token != nullptr && token->special;
    }
    [[nodiscard]] Template ownTemplate() const override { return parts.around; }
    [[nodiscard]] std::vector<std::string> unapplied() const override { return parts.unapplied; }
    [[nodiscard]] std::unique_ptr<StreamDecoder> stream() const override;

    [[nodiscard]] Result<std::string> textOf(std::span<const TokenId> ids) const;
    [[nodiscard]] std::optional<std::string> ownText(TokenId id) const;

  private:
    [[nodiscard]] Result<std::vector<TokenId>> encodeText(std::string_view text,
                                                          SpecialTokens special) const override;
    [[nodiscard]] Result<std::string> decodeIds(std::span<const TokenId> ids) const override {
        return textOf(ids);
    }
    [[nodiscard]] Result<> encodeWords(Pieces pieces, std::vector<TokenId>& ids) const;

    HfParts parts;
    std::size_t size;
};

std::string HfTokenizer::piece(TokenId id) const {
    if (const AddedToken* token = parts.added.byId(id)) {
        return token->content;
    }
    return id < parts.model->pieces().size() ? parts.model->pieces()[id] : std::string();
}

Result<> HfTokenizer::encodeWords(Pieces pieces, std::vector<TokenId>& ids) const {
    if (parts.preTokenizer) {
        ET_TRY(parts.preTokenizer->apply(pieces));
    }
    for (const Pieces::Part& part : pieces.parts) {
        if (part.size > 0) {
            ET_TRY(parts.model->encode(pieces.at(part), ids));
        }
    }
    return {};
}

Result<std::vector<TokenId>> HfTokenizer::encodeText(std::string_view text, SpecialTokens special) const {
    const auto lock = parts.model->lock();
    std::vector<TokenId> ids;
    for (const TextSegment& raw : parts.added.segments(text, false, special)) {
        if (raw.token) {
            ids.push_back(*raw.token);
            continue;
        }
        std::string normalized(text.substr(raw.range.begin, raw.range.end - raw.range.begin));
        if (parts.normalizer) {
            ET_TRY(parts.normalizer->apply(normalized));
        }
        for (const TextSegment& segment : parts.added.segments(normalized, true, special)) {
            if (segment.token) {
                ids.push_back(*segment.token);
                continue;
            }
            const auto [begin, end] = segment.range;
            const bool first = raw.range.begin == 0 && begin == 0;
            ET_TRY(encodeWords({.text = normalized.substr(begin, end - begin),
                                .parts = {{.begin = 0, .size = end - begin, .first = first}}},
                               ids));
        }
    }
    return ids;
}

Result<std::string> HfTokenizer::textOf(std::span<const TokenId> ids) const {
    std::vector<std::string> tokens;
    tokens.reserve(ids.size());
    std::size_t bytes = 0;
    for (const TokenId id : ids) {
        const AddedToken* added = parts.added.byId(id);
        std::string token = added != nullptr ? added->shown : piece(id);
        if (added != nullptr || !token.empty()) {
            bytes += token.size();
            tokens.push_back(std::move(token));
        }
    }
    if (parts.decoder) {
        const CallBudget budget(bytes);
        ET_TRY(parts.decoder->apply(tokens));
    }
    std::string text;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        text += i > 0 && !parts.decoder ? " " : "";
        text += tokens[i];
    }
    return text;
}

/// Whether the bytes are valid UTF-8 without replacement characters.
bool isWholeText(std::string_view bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t length = core::utf8SequenceLength(bytes.substr(at));
        if (length == 0) {
            return false;
        }
        at += length;
    }
    return !bytes.empty() && !bytes.contains(replacementCharacter);
}

/// The text of a token if it is independent of the preceding tokens; nothing otherwise, for example for part
/// of a character.
std::optional<std::string> HfTokenizer::ownText(TokenId id) const {
    if (!parts.decoder) {
        return std::nullopt;
    }
    const AddedToken* added = parts.added.byId(id);
    const bool isKnown = added != nullptr || id < parts.model->pieces().size();
    auto bytes = isKnown ? parts.decoder->bytesOf(added != nullptr ? added->shown : parts.model->pieces()[id])
                         : std::nullopt;
    return bytes && isWholeText(*bytes) ? bytes : std::nullopt;
}

/// Since decoders depend on neighbours, a token's text is the text it adds to that of its predecessors. Text
/// that ends in U+FFFD may be an incomplete character and is held back, as in the library's own stream.
class HfStream final : public StreamDecoder {
  public:
    explicit HfStream(const HfTokenizer& of) : tokenizer(of) {}

    [[nodiscard]] Result<std::string> push(TokenId id) override {
        if (shownCount == window.size()) {  // nothing waits
            if (std::optional<std::string> own = tokenizer.ownText(id)) {
                window.assign(1, id);
                shownCount = 1;
                shown = *own;
                return std::move(*own);
            }
        }
        window.push_back(id);
        ET_ASSIGN(std::string text, tokenizer.textOf(window));
        const bool waits = text.size() <= shown.size() || text.ends_with(replacementCharacter);
        if (waits && window.size() - shownCount < longestWait) {
            return std::string();
        }
        std::string fresh = text.size() > shown.size() ? behind(text) : std::string();
        // The tokens emitted in this step start the next window.
        window.erase(window.begin(), window.begin() + static_cast<std::ptrdiff_t>(shownCount));
        shownCount = window.size();
        ET_ASSIGN(shown, tokenizer.textOf(window));
        return fresh;
    }

    [[nodiscard]] std::string flush() override {
        const auto text = tokenizer.textOf(window);
        std::string rest = text && text->size() > shown.size() ? behind(*text) : std::string();
        window.clear();
        shown.clear();
        shownCount = 0;
        return rest;
    }

  private:
    /// Maximum number of tokens held back, for bytes that never form characters and tokens without text.
    static constexpr std::size_t longestWait = 256;

    /// The part of `text` after the emitted text. If bytes that looked like characters turn out to be
    /// invalid, the differing part is emitted again.
    [[nodiscard]] std::string behind(const std::string& text) const {
        if (text.starts_with(shown)) {
            return text.substr(shown.size());
        }
        std::size_t same = 0;
        while (same < shown.size() && same < text.size() && shown[same] == text[same]) {
            ++same;
        }
        while (same > 0 && same < text.size() && (static_cast<unsigned char>(text[same]) & 0xC0) == 0x80) {
            --same;
        }
        return text.substr(same);
    }

    const HfTokenizer& tokenizer;
    std::vector<TokenId> window;
    std::size_t shownCount = 0;  ///< number of emitted tokens in the window
    std::string shown;           ///< their text
};

std::unique_ptr<StreamDecoder> HfTokenizer::stream() const {
    return std::make_unique<HfStream>(*this);
}

Result<HfParts> readParts(const JsonField& root, std::string_view config) {
    HfParts parts;
    ET_ASSIGN(const JsonField model, root.member("model"));
    if (const auto step = root.find("normalizer")) {
        ET_ASSIGN(parts.normalizer, makeNormalizer(*step));
    }
    if (const auto step = root.find("pre_tokenizer")) {
        ET_ASSIGN(parts.preTokenizer, makePreTokenizer(*step));
    }
    if (const auto step = root.find("decoder")) {
        ET_ASSIGN(parts.decoder, makeTokenDecoder(*step));
    }
    if (const auto step = root.find("post_processor")) {
        ET_ASSIGN(parts.around, readTemplate(*step));
    }
    ET_ASSIGN(parts.model, makeTokenModel(model));
    if (const auto added = root.find("added_tokens")) {
        ET_ASSIGN(parts.added, AddedTokens::read(*added, *parts.model, parts.normalizer.get()));
    }
    ET_ASSIGN(parts.ids, readSpecialIds(config, parts.added, *parts.model));
    for (const char* const setting : {"truncation", "padding"}) {
        if (root.find(setting)) {
            parts.unapplied.emplace_back(setting);
        }
    }
    return parts;
}

}  // namespace

bool looksLikeJson(std::string_view bytes) {
    const std::size_t start = bytes.find_first_not_of(" \t\r\n");
    return start != std::string_view::npos && bytes[start] == '{';
}

OpenedTokenizer openHuggingFace(std::string_view bytes, std::string_view config) {
    const CallBudget budget(bytes.size());
    simdjson::dom::parser parser;
    ET_ASSIGN(const JsonField root, parseJson(parser, bytes));
    ET_ASSIGN(HfParts parts, readParts(root, config));
    return std::make_unique<HfTokenizer>(std::move(parts));
}

}  // namespace et::inspector::tokenizers::detail
