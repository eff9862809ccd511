#include "inspector/tokenizers/detail/rank_tokenizer.h"

#include "inspector/tokenizers/detail/merge.h"
#include "inspector/tokenizers/detail/utf8_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::inspector::tokenizers::detail {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Stream decoder for tokens that are byte strings.
class ByteTokenStream final : public StreamDecoder {
  public:
    explicit ByteTokenStream(const std::vector<std::string>& of) : pieces(of) {}

    [[nodiscard]] Result<std::string> push(TokenId id) override { return text.push(pieces[id]); }
    [[nodiscard]] std::string flush() override { return text.flush(); }

  private:
    const std::vector<std::string>& pieces;
    Utf8Stream text{Replace::Sequences};
};

class RankTokenizer final : public Tokenizer {
  public:
    RankTokenizer(RankVocabulary from, Regex pattern);

    [[nodiscard]] std::string_view format() const override { return vocabulary.format; }
    [[nodiscard]] std::size_t vocabularySize() const override { return vocabulary.pieces.size(); }
    [[nodiscard]] std::optional<TokenId> bos() const override { return vocabulary.bos; }
    [[nodiscard]] std::vector<TokenId> eos() const override {
        return vocabulary.eos ? std::vector{*vocabulary.eos} : std::vector<TokenId>();
    }
    [[nodiscard]] bool readsSpecialTokens() const override { return true; }
    [[nodiscard]] std::string piece(TokenId id) const override {
        return id < vocabulary.pieces.size() ? utf8Lossy(vocabulary.pieces[id], Replace::Sequences)
                                             : std::string();
    }
    [[nodiscard]] std::optional<TokenId> find(std::string_view piece) const override;
    [[nodiscard]] bool isSpecial(TokenId id) const override {
        return id < vocabulary.special.size() && vocabulary.special[id];
    }
    [[nodiscard]] std::unique_ptr<StreamDecoder> stream() const override {
        return std::make_unique<ByteTokenStream>(vocabulary.pieces);
    }

  private:
    [[nodiscard]] Result<std::vector<TokenId>> encodeText(std::string_view text,
                                                          SpecialTokens special) const override;
    [[nodiscard]] Result<std::string> decodeIds(std::span<const TokenId> ids) const override;
    [[nodiscard]] Result<> encodePlain(std::string_view text, std::vector<TokenId>& ids) const;
    [[nodiscard]] Result<> encodeWord(std::string_view word, std::vector<TokenId>& ids) const;

    RankVocabulary vocabulary;
    Regex split;
    TextMap<TokenId> rankOf;
    TokenFinder specials;
    mutable WordCache cache;
};

RankTokenizer::RankTokenizer(RankVocabulary from, Regex pattern)
    : vocabulary(std::move(from)), split(std::move(pattern)) {
    rankOf.reserve(vocabulary.pieces.size());
    std::vector<ByteTrie::Entry> special;
    for (TokenId id = 0; id < vocabulary.pieces.size(); ++id) {
        if (vocabulary.special[id]) {
            special.emplace_back(vocabulary.pieces[id], id);
        } else if (!vocabulary.pieces[id].empty()) {
            rankOf.emplace(vocabulary.pieces[id], id);
        }
    }
    specials = TokenFinder(special);
}

std::optional<TokenId> RankTokenizer::find(std::string_view piece) const {
    if (const auto found = rankOf.find(piece); found != rankOf.end()) {
        return found->second;
    }
    const auto found = specials.next(piece, 0);
    return found && found->range == TextRange{.begin = 0, .end = piece.size()} ? std::optional(found->id)
                                                                               : std::nullopt;
}

Result<> RankTokenizer::encodeWord(std::string_view word, std::vector<TokenId>& ids) const {
    if (const auto whole = rankOf.find(word); whole != rankOf.end()) {
        ids.push_back(whole->second);
        return {};
    }
    if (cache.append(word, ids)) {
        return {};
    }
    std::vector<Symbol> symbols;
    symbols.reserve(word.size());
    for (std::uint32_t at = 0; at < word.size(); ++at) {
        const auto found = rankOf.find(word.substr(at, 1));
        if (found == rankOf.end()) {
            return fail(ErrorCode::Format, fmt::format("the vocabulary has no token for byte {}",
                                                       static_cast<unsigned char>(word[at])));
        }
        symbols.push_back({.id = found->second, .begin = at, .size = 1});
    }
    mergeSymbols<TokenId>(
        symbols, [&](const Symbol& left, const Symbol& right) -> std::optional<Merged<TokenId>> {
            const auto found = rankOf.find(word.substr(left.begin, left.size + right.size));
            return found == rankOf.end() ? std::nullopt
                                         : std::optional(Merged<TokenId>{found->second, found->second});
        });
    const std::size_t before = ids.size();
    for (const Symbol& symbol : symbols) {
        ids.push_back(symbol.id);
    }
    cache.note(word, ids, before);
    return {};
}

Result<> RankTokenizer::encodePlain(std::string_view text, std::vector<TokenId>& ids) const {
    Regex::Matches words(split, text);
    while (true) {
        ET_ASSIGN(const std::optional<TextRange> word, words.next());
        if (!word) {
            return {};
        }
        if (word->begin != word->end) {
            ET_TRY(encodeWord(text.substr(word->begin, word->end - word->begin), ids));
        }
    }
}

Result<std::vector<TokenId>> RankTokenizer::encodeText(std::string_view text, SpecialTokens special) const {
    const auto lock = cache.lock();
    std::vector<TokenId> ids;
    std::size_t at = 0;
    while (special == SpecialTokens::Recognised) {
        const auto found = specials.next(text, at);
        if (!found) {
            break;
        }
        ET_TRY(encodePlain(text.substr(at, found->range.begin - at), ids));
        ids.push_back(found->id);
        at = found->range.end;
    }
    ET_TRY(encodePlain(text.substr(at), ids));
    return ids;
}

Result<std::string> RankTokenizer::decodeIds(std::span<const TokenId> ids) const {
    std::string bytes;
    for (const TokenId id : ids) {
        bytes += vocabulary.pieces[id];
    }
    return utf8Lossy(bytes, Replace::Sequences);
}

}  // namespace

OpenedTokenizer makeRankTokenizer(RankVocabulary vocabulary) {
    ET_ASSIGN(Regex split, Regex::compile(vocabulary.pattern, RegexDialect::Rust));
    return std::make_unique<RankTokenizer>(std::move(vocabulary), std::move(split));
}

}  // namespace et::inspector::tokenizers::detail
