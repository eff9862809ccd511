#include "inspector/tokenizers/detail/byte_trie.h"
#include "inspector/tokenizers/detail/hf_steps.h"
#include "inspector/tokenizers/detail/hf_vocabulary.h"
#include "inspector/tokenizers/detail/unicode.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace et::inspector::tokenizers::detail {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Difference between the score of an unknown character and that of the worst token.
constexpr double unknownPenalty = 10.0;

struct UnigramOptions {
    std::vector<double> scores;
    std::optional<TokenId> unknown;
    bool byteFallback = false;
};

class UnigramModel final : public TokenModel {
  public:
    UnigramModel(HfVocabulary of, UnigramOptions how)
        : TokenModel(std::move(of)),
          options(std::move(how)),
          bytes(byteTokens(vocabulary)),
          trie(std::vector<ByteTrie::Entry>(vocabulary.idOf.begin(), vocabulary.idOf.end())),
          lowest(options.scores.empty() ? 0 : std::ranges::min(options.scores)) {}

    [[nodiscard]] std::string_view format() const override { return "hf-unigram"; }
    [[nodiscard]] Result<> encode(std::string_view word, std::vector<TokenId>& ids) const override;

  private:
    /// The best segmentation up to a position: start of its last token.
    struct Step {
        double score = 0;
        std::size_t start = 0;
        bool reached = false;
        bool unknown = false;
    };
    [[nodiscard]] std::vector<Step> bestSteps(std::string_view word) const;
    [[nodiscard]] Result<> addPart(std::string_view part, std::vector<TokenId>& ids) const;

    UnigramOptions options;
    std::vector<std::optional<TokenId>> bytes;
    ByteTrie trie;
    double lowest;
};

std::vector<UnigramModel::Step> UnigramModel::bestSteps(std::string_view word) const {
    std::vector<Step> steps(word.size() + 1);
    const auto offer = [&](std::size_t end, const Step& candidate) {
        if (!steps[end].reached || candidate.score > steps[end].score) {
            steps[end] = candidate;
        }
    };
    for (std::size_t at = 0; at < word.size();) {
        const std::size_t character = std::max<std::size_t>(1, core::utf8SequenceLength(word.substr(at)));
        bool known = false;
        trie.prefixes(word.substr(at), [&](std::size_t length, TokenId id) {
            offer(at + length, {.score = options.scores[id] + steps[at].score,
                                .start = at,
                                .reached = true,
                                .unknown = id == options.unknown});
            known = known || length == character;
        });
        if (!known) {
            offer(at + character, {.score = lowest - unknownPenalty + steps[at].score,
                                   .start = at,
                                   .reached = true,
                                   .unknown = true});
        }
        at += character;
    }
    return steps;
}

/// Appends the token of a part of the word, or the tokens of its bytes, or the unknown token.
Result<> UnigramModel::addPart(std::string_view part, std::vector<TokenId>& ids) const {
    if (const auto id = vocabulary.find(part)) {
        ids.push_back(*id);
        return {};
    }
    const auto byteOf = [&](char each) { return bytes[static_cast<unsigned char>(each)]; };
    if (options.byteFallback &&
        std::ranges::all_of(part, [&](char each) { return byteOf(each).has_value(); })) {
        for (const char each : part) {
            ids.push_back(*byteOf(each));
        }
        return {};
    }
    if (!options.unknown) {
        return fail(ErrorCode::Format, "the text needs an unknown token, but the model has none",
                    {.field = "model.unk_id"});
    }
    ids.push_back(*options.unknown);
    return {};
}

Result<> UnigramModel::encode(std::string_view word, std::vector<TokenId>& ids) const {
    if (cache.append(word, ids)) {
        return {};
    }
    const std::vector<Step> steps = bestSteps(word);
    std::vector<std::string_view> parts;  // in reverse order
    for (std::size_t end = word.size(); end > 0;) {
        const Step& step = steps[end];
        std::size_t start = step.start;
        // Consecutive unknown characters form one token.
        while (step.unknown && options.unknown && start > 0 && steps[start].unknown) {
            start = steps[start].start;
        }
        parts.push_back(word.substr(start, end - start));
        end = start;
    }
    const std::size_t before = ids.size();
    for (const std::string_view part : parts | std::views::reverse) {
        ET_TRY(addPart(part, ids));
    }
    cache.note(word, ids, before);
    return {};
}

}  // namespace

Result<std::unique_ptr<TokenModel>> makeUnigramModel(const JsonField& json) {
    ET_ASSIGN(const JsonField field, json.member("vocab"));
    ET_ASSIGN(const auto list, field.array());
    HfVocabulary vocabulary;
    UnigramOptions options;
    for (const auto element : list) {
        const JsonField item = field.at(vocabulary.pieces.size(), element);
        simdjson::dom::array pair;
        std::string_view piece;
        double score = 0;
        if (element.get(pair) != simdjson::SUCCESS || pair.size() != 2 ||
            pair.at(0).get(piece) != simdjson::SUCCESS || pair.at(1).get(score) != simdjson::SUCCESS) {
            return item.expected("a token and its score");
        }
        if (vocabulary.pieces.size() >= maxTokens) {
            return fail(ErrorCode::Limit, fmt::format("more than {} tokens", maxTokens),
                        {.field = field.path()});
        }
        if (piece.size() > maxTokenBytes) {
            return fail(ErrorCode::Limit, fmt::format("token too long: {} bytes", piece.size()),
                        {.field = item.path()});
        }
        if (!piece.empty()) {
            vocabulary.idOf.insert_or_assign(std::string(piece),
                                             static_cast<TokenId>(vocabulary.pieces.size()));
        }
        vocabulary.pieces.emplace_back(piece);
        options.scores.push_back(score);
    }
    if (const auto unknown = json.find("unk_id")) {
        ET_ASSIGN(const auto id, unknown->integer(maxTokens));
        if (id >= vocabulary.pieces.size()) {
            return unknown->expected("an id in the vocabulary");
        }
        options.unknown = static_cast<TokenId>(id);
    }
    ET_ASSIGN(options.byteFallback, json.booleanOr("byte_fallback", false));
    return std::make_unique<UnigramModel>(std::move(vocabulary), std::move(options));
}

}  // namespace et::inspector::tokenizers::detail
