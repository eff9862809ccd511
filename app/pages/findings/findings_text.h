#pragma once

#include "inspector/findings/findings.h"
#include "inspector/format/table.h"

#include <string>
#include <vector>

// What `et-inspect findings` prints.
namespace et::app {

/// The findings in a format: a table and why each costs for Table, all fields for Tsv, docs/json.md for Json.
[[nodiscard]] std::string findingsText(const std::vector<inspector::Finding>& findings,
                                       inspector::report::Format format,
                                       const inspector::report::Style& style);

/// The rules, whatever is open.
[[nodiscard]] std::string rulesText(inspector::report::Format format, const inspector::report::Style& style);

}  // namespace et::app
