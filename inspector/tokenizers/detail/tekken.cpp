#include "inspector/tokenizers/detail/base64.h"
#include "inspector/tokenizers/detail/formats.h"
#include "inspector/tokenizers/detail/json_fields.h"
#include "inspector/tokenizers/detail/rank_tokenizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace et::inspector::tokenizers::detail {
namespace {

using core::Result;

/// Special tokens of files before version 7, which do not list them.
constexpr std::array<std::string_view, 20> oldSpecials{"<unk>",
                                                       "<s>",
                                                       "</s>",
                                                       "[INST]",
                                                       "[/INST]",
                                                       "[AVAILABLE_TOOLS]",
                                                       "[/AVAILABLE_TOOLS]",
                                                       "[TOOL_RESULTS]",
                                                       "[/TOOL_RESULTS]",
                                                       "[TOOL_CALLS]",
                                                       "[IMG]",
                                                       "<pad>",
                                                       "[IMG_BREAK]",
                                                       "[IMG_END]",
                                                       "[PREFIX]",
                                                       "[MIDDLE]",
                                                       "[SUFFIX]",
                                                       "[SYSTEM_PROMPT]",
                                                       "[/SYSTEM_PROMPT]",
                                                       "[TOOL_CONTENT]"};

Result<> readTekkenSpecials(const JsonField& root, RankVocabulary& vocabulary) {
    const std::size_t count = vocabulary.pieces.size();
    const auto listed = root.find("special_tokens");
    if (listed) {
        ET_ASSIGN(const auto list, listed->array());
        std::size_t index = 0;
        for (const auto element : list) {
            const JsonField token = listed->at(index++, element);
            ET_ASSIGN(const JsonField rank, token.member("rank"));
            ET_ASSIGN(const auto id, rank.integer(count == 0 ? 0 : count - 1));
            ET_ASSIGN(const JsonField content, token.member("token_str"));
            ET_ASSIGN(const auto text, content.text());
            if (count == 0 || text.empty() || text.size() > maxTokenBytes) {
                return content.expected("a special token");
            }
            vocabulary.pieces[id] = text;
        }
    } else {
        std::ranges::copy_n(oldSpecials.begin(),
                            static_cast<std::ptrdiff_t>(std::min(count, oldSpecials.size())),
                            vocabulary.pieces.begin());
    }
    for (std::size_t id = 0; id < count; ++id) {
        if (vocabulary.pieces[id].empty()) {
            vocabulary.pieces[id] = fmt::format("<SPECIAL_{}>", id);
        }
    }
    return {};
}

/// Appends the first `count` tokens; their ranks equal their positions.
Result<> readTekkenVocabulary(const JsonField& field, std::size_t count, RankVocabulary& vocabulary) {
    ET_ASSIGN(const auto list, field.array());
    std::size_t index = 0;
    for (const auto element : list) {
        if (index == count) {
            break;
        }
        const JsonField token = field.at(index, element);
        ET_ASSIGN(const JsonField rank, token.member("rank"));
        ET_ASSIGN(const auto value, rank.integer(maxTokens));
        if (value != index) {
            return rank.expected(fmt::format("rank {}", index));
        }
        ET_ASSIGN(const JsonField encoded, token.member("token_bytes"));
        ET_ASSIGN(const auto text, encoded.text());
        auto bytes = base64Decoded(text);
        if (!bytes || bytes->empty()) {
            return encoded.expected("a base64-encoded token");
        }
        vocabulary.pieces.push_back(std::move(*bytes));
        ++index;
    }
    return {};
}

}  // namespace

OpenedTokenizer openTekken(std::string_view bytes) {
    simdjson::dom::parser parser;
    ET_ASSIGN(const JsonField root, parseJson(parser, bytes));
    ET_ASSIGN(const JsonField config, root.member("config"));
    ET_ASSIGN(const JsonField patternField, config.member("pattern"));
    ET_ASSIGN(const auto pattern, patternField.text());
    ET_ASSIGN(const JsonField sizeField, config.member("default_vocab_size"));
    ET_ASSIGN(const auto size, sizeField.integer(maxTokens));
    ET_ASSIGN(const JsonField specialField, config.member("default_num_special_tokens"));
    ET_ASSIGN(const auto specials, specialField.integer(std::min<std::uint64_t>(size, bytes.size())));
    RankVocabulary vocabulary{.format = "tekken",
                              .pieces = std::vector<std::string>(specials),
                              .special = {},
                              .pattern = std::string(pattern),
                              .bos = {},
                              .eos = {}};
    ET_TRY(readTekkenSpecials(root, vocabulary));
    ET_ASSIGN(const JsonField tokens, root.member("vocab"));
    ET_TRY(readTekkenVocabulary(tokens, size - specials, vocabulary));
    vocabulary.special.assign(specials, true);
    vocabulary.special.resize(vocabulary.pieces.size(), false);
    const auto idOf = [&](std::string_view text) -> std::optional<TokenId> {
        const auto end = vocabulary.pieces.begin() + static_cast<std::ptrdiff_t>(specials);
        const auto found = std::find(vocabulary.pieces.begin(), end, text);
        return found == end ? std::nullopt
                            : std::optional(static_cast<TokenId>(found - vocabulary.pieces.begin()));
    };
    vocabulary.bos = idOf("<s>");
    vocabulary.eos = idOf("</s>");
    auto made = makeRankTokenizer(std::move(vocabulary));
    return made ? std::move(made) : std::unexpected(patternField.placed(std::move(made).error()));
}

}  // namespace et::inspector::tokenizers::detail
