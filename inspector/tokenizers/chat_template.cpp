#include "inspector/tokenizers/chat_template.h"

#include "inspector/tokenizers/detail/jinja_run.h"
#include "inspector/tokenizers/detail/json_fields.h"
#include "runtime/core/mapped_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace et::inspector {

using core::ErrorCode;
using core::fail;
using core::Result;
using tokenizers::detail::JsonField;
namespace fs = std::filesystem;
namespace jinja = tokenizers::detail::jinja;

namespace {

constexpr std::size_t maxTemplateBytes = std::size_t{1} << 20;
constexpr std::size_t maxConfigBytes = std::size_t{1} << 26;

/// "<s>" or {"content": "<s>", ...}; empty if missing.
Result<std::string> tokenText(const JsonField& config, std::string_view name) {
    const auto field = config.find(name);
    if (!field) {
        return std::string();
    }
    const auto content = field->raw().is_object() ? field->find("content") : field;
    if (!content) {
        return std::string();
    }
    ET_ASSIGN(const std::string_view text, content->text());
    return std::string(text);
}

/// The template of a configuration: a text, or the list entry named "default".
Result<std::string_view> readChatTemplate(const JsonField& config) {
    const auto field = config.find("chat_template");
    if (!field) {
        return fail(ErrorCode::NotFound, "no chat_template");
    }
    if (!field->raw().is_array()) {
        return field->text();
    }
    ET_ASSIGN(const simdjson::dom::array named, field->array());
    std::size_t index = 0;
    for (const simdjson::dom::element each : named) {
        const JsonField entry = field->at(index++, each);
        ET_ASSIGN(const JsonField name, entry.member("name"));
        ET_ASSIGN(const std::string_view word, name.text());
        if (word == "default") {
            ET_ASSIGN(const JsonField body, entry.member("template"));
            return body.text();
        }
    }
    return fail(ErrorCode::NotFound, "no chat_template is named default");
}

}  // namespace

struct ChatTemplate::Parsed {
    std::string file;
    jinja::Body body;
    std::string bos, eos;
};

ChatTemplate::ChatTemplate(std::unique_ptr<Parsed> from) : parsed(std::move(from)) {
}
ChatTemplate::~ChatTemplate() = default;
ChatTemplate::ChatTemplate(ChatTemplate&&) noexcept = default;
ChatTemplate& ChatTemplate::operator=(ChatTemplate&&) noexcept = default;

Result<ChatTemplate> ChatTemplate::parse(std::string_view text, std::string name) {
    if (text.size() > maxTemplateBytes) {
        return fail(
            ErrorCode::Limit,
            fmt::format("{} bytes exceed the maximum template size of {}", text.size(), maxTemplateBytes),
            {.file = std::move(name), .field = {}, .offset = {}});
    }
    auto body = jinja::parse(text);
    if (!body) {
        return std::unexpected(std::move(body).error().in(name));
    }
    auto made = std::make_unique<Parsed>();
    made->file = std::move(name);
    made->body = *std::move(body);
    return ChatTemplate(std::move(made));
}

Result<ChatTemplate> ChatTemplate::open(const fs::path& file) {
    ET_ASSIGN(const auto bytes, core::MappedFile::open(file));
    const std::string_view text = core::textOf(bytes->bytes());
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const bool isJson = file.extension() == ".json" && first != std::string_view::npos && text[first] == '{';
    if (!isJson) {
        return parse(text, file.string());
    }
    const auto read = [&]() -> Result<ChatTemplate> {
        if (text.size() > maxConfigBytes) {
            return fail(ErrorCode::Limit,
                        fmt::format("{} bytes exceed the maximum of {}", text.size(), maxConfigBytes));
        }
        simdjson::dom::parser parser;
        ET_ASSIGN(const JsonField config, tokenizers::detail::parseJson(parser, text));
        ET_ASSIGN(const std::string_view body, readChatTemplate(config));
        ET_ASSIGN(ChatTemplate made, parse(body, file.string()));
        ET_ASSIGN(made.parsed->bos, tokenText(config, "bos_token"));
        ET_ASSIGN(made.parsed->eos, tokenText(config, "eos_token"));
        return made;
    };
    auto made = read();
    return made ? std::move(made) : std::unexpected(std::move(made).error().in(file.string()));
}

Result<ChatTemplate> ChatTemplate::beside(const fs::path& tokenizer) {
    std::error_code ignored;
    const fs::path folder = fs::is_directory(tokenizer, ignored) ? tokenizer : tokenizer.parent_path();
    const fs::path config = folder / "tokenizer_config.json";
    const fs::path alone = folder / "chat_template.jinja";
    if (!fs::is_regular_file(alone, ignored)) {
        return fs::is_regular_file(config, ignored)
                   ? open(config)
                   : fail(ErrorCode::NotFound,
                          fmt::format("no chat_template.jinja and no tokenizer_config.json next to {}",
                                      core::printable(tokenizer.string())));
    }
    ET_ASSIGN(ChatTemplate made, open(alone));
    if (fs::is_regular_file(config, ignored)) {
        ET_ASSIGN(const auto bytes, core::MappedFile::open(config));
        simdjson::dom::parser parser;
        if (const auto root = tokenizers::detail::parseJson(parser, core::textOf(bytes->bytes()))) {
            made.parsed->bos = tokenText(*root, "bos_token").value_or("");
            made.parsed->eos = tokenText(*root, "eos_token").value_or("");
        }
    }
    return made;
}

void ChatTemplate::setTokens(std::string_view bos, std::string_view eos) {
    parsed->bos = parsed->bos.empty() ? bos : parsed->bos;
    parsed->eos = parsed->eos.empty() ? eos : parsed->eos;
}

Result<std::string> ChatTemplate::render(std::span<const ChatMessage> messages, bool asks) const {
    jinja::List list;
    for (const ChatMessage& message : messages) {
        jinja::Dict entry;
        entry.set("role", jinja::Value(message.role));
        entry.set("content", jinja::Value(message.content));
        list.push_back(jinja::Value::dict(std::move(entry)));
    }
    jinja::Dict values;
    values.set("messages", jinja::Value::list(std::move(list)));
    values.set("add_generation_prompt", jinja::Value(asks));
    values.set("bos_token", jinja::Value(parsed->bos));
    values.set("eos_token", jinja::Value(parsed->eos));
    for (const std::string_view name : {"tools", "documents"}) {
        values.set(name, jinja::Value(jinja::None{}));
    }
    auto text = jinja::render(parsed->body, values);
    return text ? std::move(text) : std::unexpected(std::move(text).error().in(parsed->file));
}

std::optional<TokenId> turnEnd(const ChatTemplate& chat, const Tokenizer& words) {
    constexpr std::string_view answer = "et-inspect-answer";
    const std::array messages{ChatMessage{.role = "user", .content = "question"},
                              ChatMessage{.role = "assistant", .content = std::string(answer)}};
    const auto rendered = chat.render(messages, false);
    const std::size_t found = rendered ? rendered->rfind(answer) : std::string::npos;
    if (found == std::string::npos || !words.readsSpecialTokens()) {
        return std::nullopt;
    }
    std::string_view rest = std::string_view(*rendered).substr(found + answer.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(" \n"), rest.size()));
    const auto ids = words.encode(rest, SpecialTokens::Recognised);
    return ids && !ids->empty() && words.isSpecial(ids->front()) ? std::optional(ids->front()) : std::nullopt;
}

}  // namespace et::inspector
