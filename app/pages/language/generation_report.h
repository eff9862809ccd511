#pragma once

#include "app/tasks/language/conversation.h"
#include "inspector/format/table.h"

#include <string>
#include <string_view>

/// What a generation says of itself (docs/json.md). Keys stay; times in milliseconds, sizes in
/// bytes.
namespace et::app {

/// The constants of a program by name, and what of the program's form follows.
[[nodiscard]] inspector::report::Dict languageInfo(const LanguageModel& language);

[[nodiscard]] core::Result<inspector::report::Dict> generationReport(const GenerateSettings& settings,
                                                                     const Conversation& conversation,
                                                                     const Generation& generation);

/// What a stream says when a prompt has its tokens, and of each token that is generated, with the text that
/// it completed (docs/json.md).
[[nodiscard]] core::Result<inspector::report::Dict> promptEvent(const Conversation& conversation,
                                                                const Generation& generation);
[[nodiscard]] inspector::report::Dict tokenEvent(const GeneratedToken& token, std::string_view text);

/// The figures for people, some lines.
[[nodiscard]] core::Result<std::string> generationText(const Conversation& conversation,
                                                       const Generation& generation);

}  // namespace et::app
