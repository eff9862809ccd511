#pragma once

#include "app/tasks/surgery/part_run.h"
#include "inspector/format/table.h"

#include <string>

namespace et::app {

/// For people: which instructions were taken out, and what goes in and comes out.
[[nodiscard]] std::string partText(const PartResult& part);
/// docs/json.md, "JSON of a part".
[[nodiscard]] inspector::report::Dict partInfo(const PartResult& part);

}  // namespace et::app
