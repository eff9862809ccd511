#include "inspector/tokenizers/detail/formats.h"
#include "inspector/tokenizers/detail/hf_steps.h"
#include "inspector/tokenizers/detail/json_fields.h"

#include <fmt/format.h>

#include <utility>

namespace et::inspector::tokenizers::detail {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using Template = Tokenizer::Template;

/// Maximum number of tokens on each side of the text, since a file may repeat the same ones.
constexpr std::size_t mostAround = 65536;

/// The ids of a special token of a template.
Result<std::vector<TokenId>> specialIds(const JsonField& processor, const JsonField& use) {
    ET_ASSIGN(const JsonField name, use.member("id"));
    ET_ASSIGN(const auto text, name.text());
    ET_ASSIGN(const JsonField specials, processor.member("special_tokens"));
    ET_ASSIGN(const JsonField special, specials.member(text));
    ET_ASSIGN(const JsonField field, special.member("ids"));
    ET_ASSIGN(const auto list, field.array());
    std::vector<TokenId> ids;
    std::size_t index = 0;
    for (const auto element : list) {
        ET_ASSIGN(const auto id, field.at(index++, element).integer(maxTokens - 1));
        ids.push_back(static_cast<TokenId>(id));
    }
    return ids;
}

Result<Template> readTemplateProcessing(const JsonField& json) {
    ET_ASSIGN(const JsonField single, json.member("single"));
    ET_ASSIGN(const auto list, single.array());
    Template result;
    bool behind = false;
    std::size_t index = 0;
    for (const auto element : list) {
        const JsonField item = single.at(index++, element);
        if (item.find("Sequence")) {
            behind = true;
            continue;
        }
        const auto special = item.find("SpecialToken");
        if (!special) {
            return item.expected("a Sequence or a SpecialToken");
        }
        ET_ASSIGN(const auto ids, specialIds(json, *special));
        std::vector<TokenId>& side = behind ? result.after : result.before;
        if (ids.size() > mostAround - side.size()) {
            return fail(ErrorCode::Limit, fmt::format("more than {} tokens on one side", mostAround),
                        {.field = item.path()});
        }
        side.insert(side.end(), ids.begin(), ids.end());
    }
    return result;
}

/// ["[SEP]", 102]
Result<TokenId> tokenOfPair(const JsonField& json, std::string_view name) {
    ET_ASSIGN(const JsonField field, json.member(name));
    ET_ASSIGN(const auto pair, field.array());
    std::uint64_t id = 0;
    if (pair.size() != 2 || pair.at(1).get(id) != simdjson::SUCCESS || id >= maxTokens) {
        return field.expected("a token and its id");
    }
    return static_cast<TokenId>(id);
}

}  // namespace

Result<Template> readTemplate(const JsonField& json, int depth) {
    ET_ASSIGN(const JsonField typeField, json.member("type"));
    ET_ASSIGN(const auto type, typeField.text());
    if (depth > maxStepDepth) {
        return fail(ErrorCode::Limit, "steps are nested too deeply", {.field = json.path()});
    }
    if (type == "TemplateProcessing") {
        return readTemplateProcessing(json);
    }
    if (type == "BertProcessing" || type == "RobertaProcessing") {
        ET_ASSIGN(const TokenId before, tokenOfPair(json, "cls"));
        ET_ASSIGN(const TokenId after, tokenOfPair(json, "sep"));
        return Template{.before = {before}, .after = {after}};
    }
    if (type == "ByteLevel") {
        return Template();  // it adjusts offsets, which we do not return
    }
    if (type != "Sequence") {
        return typeField.unknown();
    }
    ET_ASSIGN(const JsonField field, json.member("processors"));
    ET_ASSIGN(const auto list, field.array());
    Template result;
    std::size_t index = 0;
    for (const auto element : list) {
        ET_ASSIGN(Template step, readTemplate(field.at(index++, element), depth + 1));
        result.before.insert(result.before.begin(), step.before.begin(), step.before.end());
        result.after.insert(result.after.end(), step.after.begin(), step.after.end());
    }
    return result;
}

}  // namespace et::inspector::tokenizers::detail
