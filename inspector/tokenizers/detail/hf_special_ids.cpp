#include "inspector/tokenizers/detail/hf_special_ids.h"

#include <fmt/format.h>

#include <utility>

namespace et::inspector::tokenizers::detail {
namespace {

using core::Result;

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

}  // namespace

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

}  // namespace et::inspector::tokenizers::detail
