#pragma once

#include "app/tasks/surgery/part_run.h"
#include "inspector/format/table.h"

#include <string>

namespace et::app {

/// Text for a terminal: the extracted instructions, inputs and outputs.
[[nodiscard]] std::string partText(const PartResult& part);
/// docs/reference/json_programs.md, extract.
[[nodiscard]] inspector::report::Dict partInfo(const PartResult& part);

}  // namespace et::app
