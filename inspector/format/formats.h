#pragma once

#include "inspector/format/table.h"

#include <optional>
#include <string>
#include <string_view>

/// One drawing of a Table each; render() picks. Every text ends in a newline and is valid UTF-8.
namespace et::inspector::report {

/// tabulate's fancy_grid with headers="keys" of a pandas frame. `style.width` is not looked at.
[[nodiscard]] std::string fancyGrid(const Table& table, Style style);

/// fancyGrid(), unless it is wider than `style.width` (0: no limit).
[[nodiscard]] std::optional<std::string> fittingGrid(const Table& table, Style style);

/// Columns two blanks apart under a rule, at most `style.width` wide: text cells are shortened, then the last
/// columns left out (a last line names them).
[[nodiscard]] std::string narrowLayout(const Table& table, Style style);

/// pandas' to_csv: the index first under an empty header, quotes only where the text needs them.
[[nodiscard]] std::string delimited(const Table& table, char separator);

/// GitHub's table syntax; numbers are right-aligned.
[[nodiscard]] std::string markdown(const Table& table, Style style = {});

/// An array of one object a row, keyed by column id.
[[nodiscard]] std::string jsonRows(const Table& table);

}  // namespace et::inspector::report
