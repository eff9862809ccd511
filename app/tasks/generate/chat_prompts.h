#pragma once

#include "inspector/tokenizers/chat_template.h"
#include "inspector/tokenizers/tokenizer.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// Conversion of a conversation's prompts to text.
struct ChatSettings {
    /// Empty: unchanged prompts. Otherwise a text with {prompt}, a Jinja template, "@FILE" with one or with
    /// JSON that contains one, or "auto": the template next to the tokenizer.
    std::string form;
    std::string system;  ///< first message of a Jinja template; empty: none
};

/// Replaces every "{prompt}", and the escapes "\n" and "\\". Errors: InvalidArgument (the template has no
/// {prompt}).
[[nodiscard]] core::Result<std::string> fillTemplate(std::string_view form, std::string_view prompt);

/// Returns the text that each prompt adds to the conversation so far.
class ChatPrompts {
  public:
    /// `tokenizer` is the path of `words`. Errors: InvalidArgument (a template without {prompt}, a system
    /// message without a Jinja template), those of ChatTemplate.
    [[nodiscard]] static core::Result<ChatPrompts> make(const ChatSettings& settings,
                                                        const std::filesystem::path& tokenizer,
                                                        const inspector::Tokenizer& words);

    /// The token that ends a turn of a Jinja template: inspector::turnEnd().
    [[nodiscard]] std::optional<inspector::TokenId> turnEnd(const inspector::Tokenizer& words) const {
        return chat ? inspector::turnEnd(*chat, words) : std::nullopt;
    }

    /// Returns the text of the next prompt. Errors: those of ChatTemplate::render(); Unsupported (the
    /// template changes earlier messages, which are already in the cache).
    [[nodiscard]] core::Result<std::string> textOf(std::string_view prompt);
    /// Adds the model's answer. `end`: text of the end token after it; empty: none.
    void answered(std::string_view answer, std::string_view end);

  private:
    ChatPrompts() = default;

    std::string form;
    std::optional<inspector::ChatTemplate> chat;  ///< set for a Jinja template
    std::vector<inspector::ChatMessage> messages;
    std::string read;  ///< the text so far, except the last end token
    std::string ended;
};

}  // namespace et::tasks
