#include "inspector/tokenizers/detail/hf_added_tokens.h"

#include "inspector/tokenizers/detail/formats.h"
#include "inspector/tokenizers/detail/regex.h"
#include "inspector/tokenizers/detail/unicode.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::inspector::tokenizers::detail {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// The character that ends at `at`.
std::string_view characterBefore(std::string_view text, std::size_t at) {
    std::size_t begin = at;
    do {
        --begin;
    } while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80);
    return text.substr(begin, at - begin);
}

std::string_view characterAt(std::string_view text, std::size_t at) {
    return text.substr(at, std::max<std::size_t>(1, core::utf8SequenceLength(text.substr(at))));
}

bool isBlank(std::string_view character) {
    return isWhiteSpace(core::utf8Decode(character));
}

bool isWordCharacter(std::string_view character) {
    static const auto word = Regex::compile(R"(\w)", RegexDialect::Rust);
    if (!word) {
        return false;
    }
    const auto found = Regex::Matches(*word, character).next();
    return found && found->has_value();
}

/// Whether a token at `range` is inside a word.
bool insideWord(std::string_view text, const TextRange& range) {
    return (range.begin > 0 && isWordCharacter(characterBefore(text, range.begin))) ||
           (range.end < text.size() && isWordCharacter(characterAt(text, range.end)));
}

/// Extends the range by the blanks that the token strips, but not before `from`. If a token before it
/// stripped the whole range, the result is empty.
TextRange withBlanks(std::string_view text, const AddedToken& token, TextRange range, std::size_t from) {
    while (token.leftStrip && range.begin > from && isBlank(characterBefore(text, range.begin))) {
        range.begin -= characterBefore(text, range.begin).size();
    }
    range.begin = token.leftStrip ? std::max(range.begin, from) : range.begin;
    while (token.rightStrip && range.end < text.size() && isBlank(characterAt(text, range.end))) {
        range.end += characterAt(text, range.end).size();
    }
    return range;
}

Result<AddedToken> readAddedToken(const JsonField& json, const TokenModel& model) {
    AddedToken token;
    ET_ASSIGN(const JsonField contentField, json.member("content"));
    ET_ASSIGN(token.content, contentField.text());
    if (token.content.size() > maxTokenBytes) {
        return fail(ErrorCode::Limit, fmt::format("token too long: {} bytes", token.content.size()),
                    {.field = contentField.path()});
    }
    ET_ASSIGN(const JsonField idField, json.member("id"));
    ET_ASSIGN(const auto id, idField.integer(maxTokens - 1));
    token.id = static_cast<TokenId>(id);
    token.id = model.find(token.content).value_or(token.id);  // the vocabulary takes precedence, as in the
                                                              // Hugging Face library
    ET_ASSIGN(token.special, json.booleanOr("special", false));
    ET_ASSIGN(token.singleWord, json.booleanOr("single_word", false));
    ET_ASSIGN(token.leftStrip, json.booleanOr("lstrip", false));
    ET_ASSIGN(token.rightStrip, json.booleanOr("rstrip", false));
    ET_ASSIGN(token.normalized, json.booleanOr("normalized", !token.special));
    return token;
}

}  // namespace

Result<AddedTokens> AddedTokens::read(const JsonField& json, const TokenModel& model,
                                      const Normalizer* normalizer) {
    ET_ASSIGN(const auto list, json.array());
    AddedTokens result;
    std::size_t index = 0;
    for (const auto element : list) {
        ET_ASSIGN(AddedToken token, readAddedToken(json.at(index++, element), model));
        if (!token.content.empty()) {
            result.indexOfId.insert_or_assign(token.id, result.tokens.size());
            result.indexOfContent.insert_or_assign(token.content, result.tokens.size());
            result.tokens.push_back(std::move(token));
        }
    }
    std::vector<ByteTrie::Entry> raw;
    std::vector<ByteTrie::Entry> normalized;
    for (AddedToken& token : result.tokens) {
        token.shown = token.content;
        if (!token.normalized) {
            raw.emplace_back(token.content, token.id);
            continue;
        }
        if (normalizer != nullptr) {
            ET_TRY(normalizer->apply(token.shown));
        }
        if (!token.shown.empty()) {
            normalized.emplace_back(token.shown, token.id);
        }
    }
    result.inRaw = TokenFinder(raw);
    result.inNormalized = TokenFinder(normalized);
    return result;
}

const AddedToken* AddedTokens::byId(TokenId id) const {
    const auto found = indexOfId.find(id);
    return found == indexOfId.end() ? nullptr : &tokens[found->second];
}

const AddedToken* AddedTokens::byContent(std::string_view content) const {
    const auto found = indexOfContent.find(content);
    return found == indexOfContent.end() ? nullptr : &tokens[found->second];
}

std::vector<TextSegment> AddedTokens::segments(std::string_view text, bool normalized,
                                               SpecialTokens special) const {
    const TokenFinder& finder = normalized ? inNormalized : inRaw;
    std::vector<TextSegment> segments;
    std::size_t from = 0;  // start of the text not yet in segments
    for (std::size_t at = 0; at < text.size();) {
        const auto found = finder.next(text, at);
        if (!found) {
            break;
        }
        at = found->range.end;
        const AddedToken& token = *byId(found->id);
        if ((special == SpecialTokens::PlainText && token.special) ||
            (token.singleWord && insideWord(text, found->range))) {
            continue;
        }
        const TextRange range = withBlanks(text, token, found->range, from);
        if (from < range.begin) {
            segments.push_back({.range = {.begin = from, .end = range.begin}, .token = {}});
        }
        if (range.begin < range.end) {
            segments.push_back({.range = range, .token = token.id});
            from = range.end;
        }
    }
    if (from < text.size()) {
        segments.push_back({.range = {.begin = from, .end = text.size()}, .token = {}});
    }
    return segments;
}

}  // namespace et::inspector::tokenizers::detail
