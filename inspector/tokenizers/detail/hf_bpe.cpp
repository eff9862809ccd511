#include "inspector/tokenizers/detail/hf_steps.h"
#include "inspector/tokenizers/detail/hf_vocabulary.h"
#include "inspector/tokenizers/detail/merge.h"
#include "inspector/tokenizers/detail/safe_cuts.h"
#include "inspector/tokenizers/detail/unicode.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace et::inspector::tokenizers::detail {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Minimum number of bytes of words that are cut before merging.
constexpr std::size_t cutFrom = 24;
constexpr TokenId noToken = UINT32_MAX;

/// Merges of token pairs: (left, right) to rank and token.
class MergeTable {
  public:
    void reserve(std::size_t count) { merges.reserve(count); }
    void set(TokenId left, TokenId right, std::uint32_t rank, TokenId id) {
        merges.insert_or_assign(key(left, right), Merged<std::uint32_t>{rank, id});
    }
    [[nodiscard]] std::optional<Merged<std::uint32_t>> find(TokenId left, TokenId right) const {
        const auto found = merges.find(key(left, right));
        return found == merges.end() ? std::nullopt : std::optional(found->second);
    }

  private:
    static std::uint64_t key(TokenId left, TokenId right) { return (std::uint64_t{left} << 32) | right; }
    struct Hash {
        std::size_t operator()(std::uint64_t pair) const { return (pair * 0x9E3779B97F4A7C15U) >> 20; }
    };
    std::unordered_map<std::uint64_t, Merged<std::uint32_t>, Hash> merges;
};

struct BpeOptions {
    std::optional<TokenId> unknown;
    bool fuseUnknown = false;
    bool byteFallback = false;
    bool ignoreMerges = false;
    std::string prefix;  ///< before every character of a word except the first
    std::string suffix;  ///< after the last one
};

class BpeModel final : public TokenModel {
  public:
    /// `oddMerges`: whether a merge involves a byte token or the unknown token, which cannot be located by
    /// characters.
    BpeModel(HfVocabulary of, MergeTable with, BpeOptions how, bool oddMerges)
        : TokenModel(std::move(of)),
          merges(std::move(with)),
          options(std::move(how)),
          bytes(byteTokens(vocabulary)),
          cuts(options.unknown || options.byteFallback ? SafeCuts::Unknown::Stay : SafeCuts::Unknown::Go) {
        for (const std::string& piece : vocabulary.pieces) {
            cuts.add(piece);
        }
        const bool allBytes = std::ranges::all_of(bytes, [](const auto& id) { return id.has_value(); });
        cuttable = options.prefix.empty() && options.suffix.empty() && (!options.byteFallback || allBytes) &&
                   !oddMerges;
    }

    [[nodiscard]] std::string_view format() const override { return "hf-bpe"; }
    [[nodiscard]] Result<> encode(std::string_view word, std::vector<TokenId>& ids) const override;

  private:
    void encodePart(std::string_view part, std::vector<TokenId>& ids) const;
    void addSymbols(std::string_view part, std::vector<Symbol>& symbols) const;

    MergeTable merges;
    BpeOptions options;
    std::vector<std::optional<TokenId>> bytes;
    SafeCuts cuts;
    bool cuttable = false;
};

/// Appends the tokens of the characters. As in the Hugging Face library, an unknown token is held back until
/// a known one follows, and byte tokens are placed before it.
void BpeModel::addSymbols(std::string_view part, std::vector<Symbol>& symbols) const {
    std::optional<TokenId> pending;
    std::size_t at = 0;
    const auto add = [&](TokenId id) { symbols.push_back({.id = id, .begin = 0, .size = 1}); };
    const auto flush = [&] {
        if (pending) {
            add(*std::exchange(pending, std::nullopt));
        }
    };
    std::string decorated;
    eachCharacter(part, [&](char32_t /*unused*/, std::string_view character) {
        std::string_view spelled = character;
        const bool last = at + character.size() == part.size();
        if ((at > 0 && !options.prefix.empty()) || (last && !options.suffix.empty())) {
            decorated.assign(at > 0 ? options.prefix : "")
                .append(character)
                .append(last ? options.suffix : "");
            spelled = decorated;
        }
        at += character.size();
        if (const auto id = vocabulary.find(spelled)) {
            flush();
            add(*id);
            return;
        }
        const auto byteOf = [&](char each) { return bytes[static_cast<unsigned char>(each)]; };
        if (options.byteFallback &&
            std::ranges::all_of(spelled, [&](char each) { return byteOf(each).has_value(); })) {
            for (const char each : spelled) {
                add(*byteOf(each));
            }
        } else if (options.unknown) {
            if (!options.fuseUnknown) {
                flush();
            }
            pending = options.unknown;
        }
    });
    flush();
}

void BpeModel::encodePart(std::string_view part, std::vector<TokenId>& ids) const {
    if (cache.append(part, ids)) {
        return;
    }
    static thread_local std::vector<Symbol> symbols;
    symbols.clear();
    addSymbols(part, symbols);
    mergeSymbols<std::uint32_t>(
        symbols, [&](const Symbol& left, const Symbol& right) { return merges.find(left.id, right.id); });
    const std::size_t before = ids.size();
    for (const Symbol& symbol : symbols) {
        ids.push_back(symbol.id);
    }
    cache.note(part, ids, before);
}

Result<> BpeModel::encode(std::string_view word, std::vector<TokenId>& ids) const {
    if (options.ignoreMerges) {
        if (const auto whole = vocabulary.find(word)) {
            ids.push_back(*whole);
            return {};
        }
    }
    while (cuttable && word.size() >= cutFrom) {
        const std::string_view part = word.substr(0, cuts.piece(word));
        encodePart(part, ids);
        word.remove_prefix(part.size());
    }
    if (!word.empty()) {
        encodePart(word, ids);
    }
    return {};
}

/// "a b" or ["a", "b"].
Result<std::pair<std::string_view, std::string_view>> readMerge(const JsonField& json) {
    std::string_view both;
    if (json.raw().get(both) == simdjson::SUCCESS) {
        const std::size_t space = both.find(' ');
        if (space == std::string_view::npos || both.find(' ', space + 1) != std::string_view::npos) {
            return json.expected("two tokens separated by a space");
        }
        return std::pair(both.substr(0, space), both.substr(space + 1));
    }
    simdjson::dom::array pair;
    std::string_view left;
    std::string_view right;
    if (json.raw().get(pair) != simdjson::SUCCESS || pair.size() != 2 ||
        pair.at(0).get(left) != simdjson::SUCCESS || pair.at(1).get(right) != simdjson::SUCCESS) {
        return json.expected("two tokens");
    }
    return std::pair(left, right);
}

struct ReadMerges {
    MergeTable table;
    bool odd = false;
};

Result<ReadMerges> readMerges(const JsonField& json, const HfVocabulary& vocabulary,
                              const BpeOptions& options) {
    ET_ASSIGN(const auto list, json.array());
    std::unordered_set<TokenId> odd;
    for (const auto id : byteTokens(vocabulary)) {
        odd.insert(options.byteFallback && id ? *id : options.unknown.value_or(noToken));
    }
    odd.insert(options.unknown.value_or(noToken));
    ReadMerges result;
    result.table.reserve(list.size());
    std::uint32_t rank = 0;
    std::string joined;
    for (const auto element : list) {
        std::string_view text;
        if (rank == 0 && element.get(text) == simdjson::SUCCESS && text.starts_with("#version")) {
            continue;
        }
        const JsonField field = json.at(rank, element);
        ET_ASSIGN(const auto merge, readMerge(field));
        const auto left = vocabulary.find(merge.first);
        const auto right = vocabulary.find(merge.second);
        joined.assign(merge.first)
            .append(merge.second.substr(std::min(options.prefix.size(), merge.second.size())));
        const auto both = vocabulary.find(joined);
        if (!left || !right || !both) {
            return fail(ErrorCode::Format,
                        fmt::format("\"{}\" is not in the vocabulary", !left    ? merge.first
                                                                       : !right ? merge.second
                                                                                : std::string_view(joined)),
                        {.field = field.path()});
        }
        result.odd = result.odd || odd.contains(*left) || odd.contains(*right);
        result.table.set(*left, *right, rank++, *both);
    }
    return result;
}

Result<BpeOptions> readBpeOptions(const JsonField& json, const HfVocabulary& vocabulary) {
    BpeOptions options;
    if (const auto dropout = json.find("dropout")) {
        ET_ASSIGN(const double value, dropout->number());
        if (value != 0) {
            return dropout->unknown();
        }
    }
    if (const auto unknown = json.find("unk_token")) {
        ET_ASSIGN(const auto piece, unknown->text());
        options.unknown = vocabulary.find(piece);
        if (!options.unknown) {
            return unknown->expected("a token in the vocabulary");
        }
    }
    ET_ASSIGN(options.fuseUnknown, json.booleanOr("fuse_unk", false));
    ET_ASSIGN(options.byteFallback, json.booleanOr("byte_fallback", false));
    ET_ASSIGN(options.ignoreMerges, json.booleanOr("ignore_merges", false));
    ET_ASSIGN(options.prefix, json.textOr("continuing_subword_prefix", ""));
    ET_ASSIGN(options.suffix, json.textOr("end_of_word_suffix", ""));
    return options;
}

}  // namespace

Result<std::unique_ptr<TokenModel>> makeBpeModel(const JsonField& json) {
    ET_ASSIGN(const JsonField vocabularyField, json.member("vocab"));
    ET_ASSIGN(HfVocabulary vocabulary, readHfVocabulary(vocabularyField));
    ET_ASSIGN(BpeOptions options, readBpeOptions(json, vocabulary));
    ET_ASSIGN(const JsonField mergesField, json.member("merges"));
    ET_ASSIGN(ReadMerges merges, readMerges(mergesField, vocabulary, options));
    return std::make_unique<BpeModel>(std::move(vocabulary), std::move(merges.table), std::move(options),
                                      merges.odd);
}

}  // namespace et::inspector::tokenizers::detail
