#pragma once

#include "app/output/cells.h"
#include "app/tasks/rewrite/part_run.h"

#include <string>

namespace et::output {

/// Text for a terminal: the extracted instructions, inputs and outputs.
[[nodiscard]] std::string partText(const tasks::PartResult& part);
/// docs/reference/json_programs.md, extract.
[[nodiscard]] Dict partInfo(const tasks::PartResult& part);

}  // namespace et::output
