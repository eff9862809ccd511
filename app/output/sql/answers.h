#pragma once

#include "app/output/cells.h"
#include "inspector/store/query.h"

#include <cstddef>
#include <span>
#include <string>

// Output of `et-inspect sql`.
namespace et::output {

/// All query results in a format; JSON as described in docs/reference/json.md.
[[nodiscard]] std::string answersText(std::span<const inspector::store::QueryResult> answers, Format format,
                                      Style style);

/// The tables of a session and their columns; Csv and Tsv have one row per column, Markdown is the second
/// half of docs/reference/sql_tables.md. `width`: columns of the terminal; 0: 100.
[[nodiscard]] std::string tablesText(Format format, std::size_t width);

}  // namespace et::output
