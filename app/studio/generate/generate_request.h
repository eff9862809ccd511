#pragma once

#include "app/tasks/generate/conversation.h"

#include <QStringList>

#include <filesystem>

namespace et::studio {

/// Returns the arguments of et-inspect, starting with the command.
[[nodiscard]] QStringList argumentsOf(const tasks::GenerateSettings& settings);

/// True if the prompt, as an argument, would be parsed as a file name.
[[nodiscard]] bool needsPromptFile(const tasks::GenerateSettings& settings);

/// Returns the tokenizer next to a model, under one of the names used by exporters; empty if there is none.
[[nodiscard]] std::filesystem::path adjacentTokenizer(const std::filesystem::path& model);

}  // namespace et::studio
