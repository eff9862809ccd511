#pragma once

#include "app/tasks/trend/import_files.h"

#include <string>

namespace et::output {

/// "12 files imported, 3 were there already, 1 could not be read"
[[nodiscard]] std::string importText(const tasks::ImportOutcome& outcome);
/// docs/reference/json.md.
[[nodiscard]] std::string importJson(const tasks::ImportOutcome& outcome);

}  // namespace et::output
