#pragma once

#include "runtime/core/result.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace et::inspector {

struct ChatMessage {
    std::string role;  ///< "system", "user", "assistant"
    std::string content;
};

/// What a model of conversations was trained on: the text that messages become, as the Jinja template in
/// `tokenizer_config.json` or `chat_template.jinja` says. docs/language_models.md has what of Jinja is run.
class ChatTemplate {
  public:
    /// A template's own text. `name` stands for the file in errors. Errors, each with the line: Format,
    /// Unsupported (what is not run here), Limit (nested too deeply, more than 1 MiB).
    [[nodiscard]] static core::Result<ChatTemplate> parse(std::string_view text, std::string name);
    /// The text of a template, or JSON with a `chat_template`: a text, or a list of those with names, of
    /// which "default" counts. JSON may name `bos_token` and `eos_token`. Errors: Io, Format, as of parse().
    [[nodiscard]] static core::Result<ChatTemplate> open(const std::filesystem::path& file);
    /// The one that belongs to a tokenizer: chat_template.jinja in its folder, else that of
    /// tokenizer_config.json. Errors: NotFound, as of open().
    [[nodiscard]] static core::Result<ChatTemplate> beside(const std::filesystem::path& tokenizer);

    /// What `bos_token` and `eos_token` are where no file has said it.
    void setTokens(std::string_view bos, std::string_view eos);

    /// The text of messages; with `asks`, up to where the model's answer begins. Errors, each with the line:
    /// InvalidArgument (the template refuses the messages), Format, Unsupported, Limit (it takes too many
    /// steps or makes too much text).
    [[nodiscard]] core::Result<std::string> render(std::span<const ChatMessage> messages, bool asks) const;

    ~ChatTemplate();
    ChatTemplate(const ChatTemplate&) = delete;
    ChatTemplate& operator=(const ChatTemplate&) = delete;
    ChatTemplate(ChatTemplate&&) noexcept;
    ChatTemplate& operator=(ChatTemplate&&) noexcept;

  private:
    struct Parsed;
    explicit ChatTemplate(std::unique_ptr<Parsed> from);
    std::unique_ptr<Parsed> parsed;
};

}  // namespace et::inspector
