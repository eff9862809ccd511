#pragma once

#include "inspector/format/table.h"

#include <optional>
#include <string>
#include <string_view>

/// Renderers of a Table, one per format, selected by render(). Every text ends in a newline and is valid
/// UTF-8.
namespace et::inspector::format {

/// tabulate's fancy_grid with headers="keys" of a pandas frame; empty if it is wider than `style.width` (0:
/// no limit).
[[nodiscard]] std::optional<std::string> fittingGrid(const Table& table, Style style);

/// Columns separated by two blanks, with a ruled header, at most `style.width` wide: text cells are shortened
/// first, then the last columns are dropped (a last line names them).
[[nodiscard]] std::string narrowLayout(const Table& table, Style style);

/// pandas' to_csv: the index first under an empty header, quotes only if needed.
[[nodiscard]] std::string delimited(const Table& table, char separator);

/// GitHub's table syntax; numbers are right-aligned.
[[nodiscard]] std::string markdown(const Table& table, Style style = {});

/// An array of one object per row, keyed by column id.
[[nodiscard]] std::string jsonRows(const Table& table);

}  // namespace et::inspector::format
