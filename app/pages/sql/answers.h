#pragma once

#include "inspector/format/table.h"
#include "inspector/store/query.h"

#include <cstddef>
#include <span>
#include <string>

// What `et-inspect sql` prints.
namespace et::app {

/// All answers in a format; JSON as docs/json.md says.
[[nodiscard]] std::string answersText(std::span<const inspector::store::QueryResult> answers,
                                      inspector::report::Format format, inspector::report::Style style);

/// The tables of a session and their columns; Csv and Tsv have a row for each column, Markdown is the second
/// half of docs/sql.md. `width`: columns of the terminal; 0: 100.
[[nodiscard]] std::string tablesText(inspector::report::Format format, std::size_t width);

}  // namespace et::app
