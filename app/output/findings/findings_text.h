#pragma once

#include "app/output/cells.h"
#include "inspector/findings/findings.h"

#include <string>
#include <vector>

// Output of `et-inspect findings`.
namespace et::output {

/// The findings in a format: a table with explanations for Table and Markdown, all fields for Tsv,
/// docs/reference/json.md for Json.
[[nodiscard]] std::string findingsText(const std::vector<inspector::Finding>& findings, Format format,
                                       const Style& style);

/// All rules; as Markdown, the page docs/reference/finding_rules.md.
[[nodiscard]] std::string rulesText(Format format, const Style& style);

}  // namespace et::output
