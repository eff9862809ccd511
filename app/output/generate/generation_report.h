#pragma once

#include "app/output/cells.h"
#include "app/tasks/generate/conversation.h"

#include <string>
#include <string_view>

/// Report of a generation (docs/reference/json.md). Keys are stable; times in milliseconds, sizes in bytes.
namespace et::output {

/// The constants of a program by name, and properties derived from its form.
[[nodiscard]] Dict languageInfo(const tasks::LanguageModel& language);

[[nodiscard]] core::Result<Dict> generationReport(const tasks::GenerateSettings& settings,
                                                  const tasks::Conversation& conversation,
                                                  const tasks::Generation& generation);

/// Events of a stream: a prompt was tokenized; a token was generated, with the text that it completed
/// (docs/reference/json.md).
[[nodiscard]] core::Result<Dict> promptEvent(const tasks::Conversation& conversation,
                                             const tasks::Generation& generation);
[[nodiscard]] Dict tokenEvent(const tasks::GeneratedToken& token, std::string_view text);

/// The steps of pre-processing of images and sounds: dtype, sizes and range after each.
[[nodiscard]] std::string mediaStepsText(const tasks::Generation& generation);

/// The figures as a few lines of text.
[[nodiscard]] core::Result<std::string> generationText(const tasks::Conversation& conversation,
                                                       const tasks::Generation& generation);

}  // namespace et::output
