#pragma once

#include "inspector/tokenizers/chat_template.h"
#include "inspector/tokenizers/tokenizer.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// How the prompts of a conversation become text.
struct ChatSettings {
    /// Empty: as they are. With {prompt} where the prompt goes; a Jinja template; "@FILE" of one, or of JSON
    /// with one; "auto": the one beside the tokenizer.
    std::string form;
    std::string system;  ///< the first message of a Jinja template; empty: none
};

/// Replaces every "{prompt}", and "\n" and "\\" as two characters, by what they stand for. Errors:
/// InvalidArgument (the template has no {prompt}).
[[nodiscard]] core::Result<std::string> fillTemplate(std::string_view form, std::string_view prompt);

/// The text that each prompt of a conversation adds to what the model has read and said so far.
class ChatPrompts {
  public:
    /// `tokenizer` is the path of `words`. Errors: InvalidArgument (a form without a place for the prompt, a
    /// system message without a Jinja template), those of ChatTemplate.
    [[nodiscard]] static core::Result<ChatPrompts> make(const ChatSettings& settings,
                                                        const std::filesystem::path& tokenizer,
                                                        const inspector::Tokenizer& words);

    /// Of the next prompt. Errors: as of ChatTemplate::render(); Unsupported (the template changes what was
    /// said before, which the cache has).
    [[nodiscard]] core::Result<std::string> textOf(std::string_view prompt);
    /// What the model said to it. `end`: the text of the end token behind it; empty: it has none.
    void answered(std::string_view answer, std::string_view end);

  private:
    ChatPrompts() = default;

    std::string form;
    std::optional<inspector::ChatTemplate> chat;  ///< of a Jinja template
    std::vector<inspector::ChatMessage> messages;
    std::string read;  ///< the text so far, but for the last end token
    std::string ended;
};

}  // namespace et::app
