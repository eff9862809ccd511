#include "inspector/tokenizers/detail/byte_trie.h"
#include "inspector/tokenizers/detail/hf_steps.h"
#include "inspector/tokenizers/detail/hf_vocabulary.h"
#include "inspector/tokenizers/detail/unicode.h"

#include <utility>

namespace et::inspector::tokenizers::detail {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

struct WordOptions {
    bool inPieces = true;  ///< true: WordPiece; false: WordLevel
    std::string unknown;
    std::string prefix;  ///< of all pieces of a word except the first
    std::size_t maxCharacters = 0;
};

/// WordPiece: longest match from the left; WordLevel: each word is a token.
class WordModel final : public TokenModel {
  public:
    WordModel(HfVocabulary of, WordOptions how) : TokenModel(std::move(of)), options(std::move(how)) {
        if (options.inPieces) {
            starts = triePieces("");
            inner = triePieces(options.prefix);
        }
    }

    [[nodiscard]] std::string_view format() const override {
        return options.inPieces ? "hf-wordpiece" : "hf-wordlevel";
    }
    [[nodiscard]] Result<> encode(std::string_view word, std::vector<TokenId>& ids) const override;

  private:
    /// Trie of the pieces that begin with `prefix`, with the prefix removed.
    [[nodiscard]] ByteTrie triePieces(std::string_view prefix) const;
    [[nodiscard]] bool addPieces(std::string_view word, std::vector<TokenId>& ids) const;

    WordOptions options;
    ByteTrie starts;  ///< pieces at the start of a word
    ByteTrie inner;   ///< pieces inside a word
};

ByteTrie WordModel::triePieces(std::string_view prefix) const {
    std::vector<ByteTrie::Entry> entries;
    for (const auto& [piece, id] : vocabulary.idOf) {
        if (piece.starts_with(prefix) && piece.size() > prefix.size()) {
            entries.emplace_back(std::string_view(piece).substr(prefix.size()), id);
        }
    }
    return ByteTrie(std::move(entries));
}

/// Appends the pieces of a word; false if they do not cover all of it.
bool WordModel::addPieces(std::string_view word, std::vector<TokenId>& ids) const {
    if (core::utf8Length(word) > options.maxCharacters) {
        return false;
    }
    const ByteTrie* trie = &starts;
    while (!word.empty()) {
        std::optional<TokenId> longest;
        std::size_t size = 0;
        trie->prefixes(word, [&](std::size_t length, TokenId id) {
            longest = id;
            size = length;
        });
        if (!longest) {
            return false;
        }
        ids.push_back(*longest);
        word.remove_prefix(size);
        trie = &inner;
    }
    return true;
}

Result<> WordModel::encode(std::string_view word, std::vector<TokenId>& ids) const {
    if (cache.append(word, ids)) {
        return {};
    }
    const std::size_t before = ids.size();
    const auto whole = options.inPieces ? std::nullopt : vocabulary.find(word);
    if (whole) {
        ids.push_back(*whole);
    } else if (!options.inPieces || !addPieces(word, ids)) {
        ids.resize(before);
        const auto unknown = vocabulary.find(options.unknown);
        if (!unknown) {
            return fail(ErrorCode::Format,
                        fmt::format("the text needs the unknown token \"{}\", which is not in the vocabulary",
                                    options.unknown),
                        {.field = "model.unk_token"});
        }
        ids.push_back(*unknown);
    }
    cache.note(word, ids, before);
    return {};
}

}  // namespace

Result<std::unique_ptr<TokenModel>> makeWordModel(const JsonField& json, bool pieces) {
    constexpr std::size_t defaultCharacters = 100;
    constexpr std::size_t mostCharacters = 10'000;
    ET_ASSIGN(const JsonField field, json.member("vocab"));
    ET_ASSIGN(HfVocabulary vocabulary, readHfVocabulary(field));
    WordOptions options{.inPieces = pieces, .unknown = {}, .prefix = {}, .maxCharacters = 0};
    ET_ASSIGN(options.unknown, json.textOr("unk_token", pieces ? "[UNK]" : "<unk>"));
    ET_ASSIGN(options.prefix, json.textOr("continuing_subword_prefix", "##"));
    ET_ASSIGN(options.maxCharacters,
              json.integerOr("max_input_chars_per_word", mostCharacters, defaultCharacters));
    return std::make_unique<WordModel>(std::move(vocabulary), std::move(options));
}

/// Old files have no type; it is inferred from the members of the model.
Result<std::unique_ptr<TokenModel>> makeTokenModel(const JsonField& json) {
    std::string_view type;
    const auto field = json.find("type");
    if (field) {
        ET_ASSIGN(type, field->text());
    } else {
        type = json.find("merges")                     ? "BPE"
               : json.find("max_input_chars_per_word") ? "WordPiece"
               : json.find("unk_id")                   ? "Unigram"
                                                       : "WordLevel";
    }
    if (type == "BPE") {
        return makeBpeModel(json);
    }
    if (type == "Unigram") {
        return makeUnigramModel(json);
    }
    if (type == "WordPiece" || type == "WordLevel") {
        return makeWordModel(json, type == "WordPiece");
    }
    return field->unknown();
}

}  // namespace et::inspector::tokenizers::detail
