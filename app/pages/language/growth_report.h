#pragma once

#include "inspector/format/table.h"
#include "inspector/generation/growth.h"

#include <string>

namespace et::app {

/// A row a group, the largest first, then one of whole calls.
[[nodiscard]] inspector::report::Table growthTable(const inspector::Growth& growth);
/// One line: which calls, where, and what grows.
[[nodiscard]] std::string growthSummary(const inspector::Growth& growth);
/// docs/json.md.
[[nodiscard]] std::string growthJson(const inspector::Growth& growth, const std::string& phaseSource);
/// The times of the largest groups over the position, with the line that fits each, as one SVG.
[[nodiscard]] std::string growthPicture(const inspector::Growth& growth);

}  // namespace et::app
