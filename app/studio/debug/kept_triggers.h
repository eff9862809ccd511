#pragma once

#include "visualizers/debug/debug_answers.h"

#include <filesystem>
#include <vector>

class QSettings;

/// Breakpoints and watchpoints of the programs opened last, kept in the settings.
namespace et::studio {

/// Those of this program; empty: none, or unreadable settings.
[[nodiscard]] std::vector<visualizers::DebugTrigger> keptTriggers(const QSettings& store,
                                                                  const std::filesystem::path& program);

/// Replaces those of this program. The programs used longest ago are forgotten.
void keepTriggers(QSettings& store, const std::filesystem::path& program,
                  const std::vector<visualizers::DebugTrigger>& triggers);

}  // namespace et::studio
