#include "app/pages/info/artifact_info.h"

#include <optional>
#include <string>
#include <utility>

namespace et::app {
namespace {

using inspector::TokenId;

/// {"id": 1, "piece": "<s>"}
Dict tokenInfo(const inspector::Tokenizer& tokenizer, TokenId id) {
    return {{"id", std::uint64_t{id}}, {"piece", tokenizer.piece(id)}};
}

}  // namespace

Dict tokenizerInfo(const inspector::Tokenizer& tokenizer) {
    std::uint64_t special = 0;
    for (std::size_t id = 0; id < tokenizer.vocabularySize(); ++id) {
        special += tokenizer.isSpecial(static_cast<TokenId>(id)) ? 1 : 0;
    }
    Dict info{{"format", std::string(tokenizer.format())},
              {"vocabulary_size", std::uint64_t{tokenizer.vocabularySize()}},
              {"special_tokens", special}};
    if (const auto bos = tokenizer.bos()) {
        info.emplace_back("bos", tokenInfo(tokenizer, *bos));
    }
    List ends;
    for (const TokenId id : tokenizer.eos()) {
        ends.emplace_back(tokenInfo(tokenizer, id));
    }
    info.emplace_back("eos", std::move(ends));
    List facts;
    for (const auto& [name, value] : tokenizer.facts()) {
        facts.emplace_back(Dict{{"name", name}, {"value", value}});
    }
    info.emplace_back("details", std::move(facts));
    return info;
}

}  // namespace et::app
