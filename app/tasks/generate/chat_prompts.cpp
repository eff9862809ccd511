#include "app/tasks/generate/chat_prompts.h"

#include <fmt/format.h>

#include <utility>

namespace et::tasks {

using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::ChatTemplate;

namespace {

bool isJinja(std::string_view form) {
    return form.contains("{{") || form.contains("{%");
}

Result<ChatTemplate> openTemplate(std::string_view form, const std::filesystem::path& tokenizer) {
    if (form == "auto") {
        return ChatTemplate::beside(tokenizer);
    }
    return form.starts_with('@') ? ChatTemplate::open(form.substr(1))
                                 : ChatTemplate::parse(form, "--chat-template");
}

}  // namespace

Result<std::string> fillTemplate(std::string_view form, std::string_view prompt) {
    constexpr std::string_view place = "{prompt}";
    if (form.find(place) == std::string_view::npos) {
        return fail(
            ErrorCode::InvalidArgument,
            "--chat-template: expected {prompt} where the prompt goes, a Jinja template, @FILE or auto");
    }
    std::string filled;
    while (!form.empty()) {
        if (form.starts_with(place)) {
            filled += prompt;
            form.remove_prefix(place.size());
        } else if (form.starts_with("\\n") || form.starts_with("\\\\")) {
            filled += form[1] == 'n' ? '\n' : '\\';
            form.remove_prefix(2);
        } else {
            filled += form.front();
            form.remove_prefix(1);
        }
    }
    return filled;
}

Result<ChatPrompts> ChatPrompts::make(const ChatSettings& settings, const std::filesystem::path& tokenizer,
                                      const inspector::Tokenizer& words) {
    ChatPrompts made;
    made.form = settings.form;
    if (settings.form == "auto" || settings.form.starts_with('@') || isJinja(settings.form)) {
        ET_ASSIGN(made.chat, openTemplate(settings.form, tokenizer));
        const auto bos = words.bos();
        const auto eos = words.eos();
        made.chat->setTokens(bos ? words.piece(*bos) : "", eos.empty() ? "" : words.piece(eos.front()));
    } else if (!settings.system.empty()) {
        return fail(ErrorCode::InvalidArgument, "--system: requires a Jinja template (--chat-template)");
    }
    if (!settings.system.empty()) {
        made.messages.push_back({.role = "system", .content = settings.system});
    }
    return made;
}

Result<std::string> ChatPrompts::textOf(std::string_view prompt) {
    if (!chat) {
        return form.empty() ? Result<std::string>(std::string(prompt)) : fillTemplate(form, prompt);
    }
    std::string before;
    if (!read.empty()) {
        ET_ASSIGN(before, chat->render(messages, false));
    }
    messages.push_back({.role = "user", .content = std::string(prompt)});
    auto rendered = chat->render(messages, true);
    if (!rendered) {
        messages.pop_back();
        return rendered;
    }
    // The template may repeat the model's answer verbatim or modified, for example trimmed.
    std::string_view fresh = *rendered;
    std::string text;
    if (fresh.starts_with(read)) {
        fresh.remove_prefix(read.size());
        fresh.remove_prefix(fresh.starts_with(ended) ? ended.size() : 0);
        text = fresh;
    } else if (fresh.starts_with(before)) {
        text = before.ends_with('\n') ? "\n" : "";
        text += fresh.substr(before.size());
    } else {
        messages.pop_back();
        return fail(ErrorCode::Unsupported,
                    "the chat template changes earlier messages that are already in the cache: run each "
                    "prompt separately");
    }
    read = *std::move(rendered);
    return text;
}

void ChatPrompts::answered(std::string_view answer, std::string_view end) {
    if (!chat) {
        return;
    }
    messages.push_back({.role = "assistant", .content = std::string(answer)});
    read += answer;
    ended = end;
}

}  // namespace et::tasks
