#pragma once

#include "app/tasks/language/conversation.h"
#include "inspector/format/table.h"

#include <string>

/// What a generation says of itself (docs/json.md). Keys stay; times in milliseconds, sizes in
/// bytes.
namespace et::app {

/// The constants of a program by name, and what of the program's form follows.
[[nodiscard]] inspector::report::Dict languageInfo(const LanguageModel& language);

[[nodiscard]] core::Result<inspector::report::Dict> generationReport(const GenerateSettings& settings,
                                                                     const Conversation& conversation,
                                                                     const Generation& generation);

/// The figures for people, some lines.
[[nodiscard]] core::Result<std::string> generationText(const Conversation& conversation,
                                                       const Generation& generation);

}  // namespace et::app
