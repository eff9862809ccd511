#pragma once

#include "app/tasks/history/import_files.h"

#include <string>

namespace et::app {

/// "12 files imported, 3 were there already, 1 could not be read"
[[nodiscard]] std::string importText(const ImportOutcome& outcome);
/// docs/reference/json.md.
[[nodiscard]] std::string importJson(const ImportOutcome& outcome);

}  // namespace et::app
