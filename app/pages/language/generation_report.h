#pragma once

#include "app/tasks/language/conversation.h"
#include "inspector/format/table.h"

#include <string>
#include <string_view>

/// Report of a generation (docs/reference/json.md). Keys are stable; times in milliseconds, sizes in bytes.
namespace et::app {

/// The constants of a program by name, and properties derived from its form.
[[nodiscard]] inspector::report::Dict languageInfo(const LanguageModel& language);

[[nodiscard]] core::Result<inspector::report::Dict> generationReport(const GenerateSettings& settings,
                                                                     const Conversation& conversation,
                                                                     const Generation& generation);

/// Events of a stream: a prompt was tokenized; a token was generated, with the text that it completed
/// (docs/reference/json.md).
[[nodiscard]] core::Result<inspector::report::Dict> promptEvent(const Conversation& conversation,
                                                                const Generation& generation);
[[nodiscard]] inspector::report::Dict tokenEvent(const GeneratedToken& token, std::string_view text);

/// The figures as a few lines of text.
[[nodiscard]] core::Result<std::string> generationText(const Conversation& conversation,
                                                       const Generation& generation);

}  // namespace et::app
