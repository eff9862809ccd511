#pragma once

#include "inspector/tokenizers/tokenizer.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace et::inspector {

struct ChatMessage {
    std::string role;  ///< "system", "user", "assistant"
    std::string content;
};

/// Chat template of a model: formats messages as in its training, using the Jinja template in
/// `tokenizer_config.json` or `chat_template.jinja`. docs/how_to/language_models.md lists the supported Jinja
/// features.
class ChatTemplate {
  public:
    /// Parses the text of a template. `name` is the file name for errors. Errors, each with the line: Format,
    /// Unsupported (an unsupported feature), Limit (nested too deeply, more than 1 MiB).
    [[nodiscard]] static core::Result<ChatTemplate> parse(std::string_view text, std::string name);
    /// Opens the text of a template, or JSON with a `chat_template`: a text, or a list of named templates, of
    /// which "default" is used. JSON may set `bos_token` and `eos_token`. Errors: Io, Format, as parse().
    [[nodiscard]] static core::Result<ChatTemplate> open(const std::filesystem::path& file);
    /// Opens the template of a tokenizer: chat_template.jinja in its folder, else that of
    /// tokenizer_config.json. Errors: NotFound, as open().
    [[nodiscard]] static core::Result<ChatTemplate> beside(const std::filesystem::path& tokenizer);

    /// Sets `bos_token` and `eos_token` unless a file has set them.
    void setTokens(std::string_view bos, std::string_view eos);

    /// Formats the messages; with `asks`, up to the start of the model's answer. Errors, each with the line:
    /// InvalidArgument (the template rejects the messages), Format, Unsupported, Limit (too many steps or too
    /// much text).
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

/// The special token that ends the assistant's turn in the template, such as <|im_end|>; nothing if no
/// special token does, or the template rejects a plain conversation. A model trained with the template ends
/// its answers with it.
[[nodiscard]] std::optional<TokenId> turnEnd(const ChatTemplate& chat, const Tokenizer& words);

}  // namespace et::inspector
