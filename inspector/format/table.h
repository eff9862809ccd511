#pragma once

#include "inspector/format/quantities.h"

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace et::inspector::format {

struct Cell;
/// Ordered values of any kinds.
using List = std::vector<Cell>;
/// Keys in print order; not sorted by the writers.
using Dict = std::vector<std::pair<std::string, Cell>>;

/// A typed cell, independent of its format: text formats print it like Python, JSON as JSON. monostate: no
/// value. Lists of numbers have packed alternatives, because a column of them contains every sample of a
/// trace.
struct Cell
    : std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string,
                   std::vector<std::int64_t>, std::vector<std::uint64_t>, std::vector<double>, List, Dict> {
    using variant::variant;
};

/// The value, or a cell without one.
template <typename T>
[[nodiscard]] Cell optionalCell(const std::optional<T>& value) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
        return value ? Cell(static_cast<Wide>(*value)) : Cell();
    } else {
        return value ? Cell(*value) : Cell();
    }
}

struct Column {
    std::string id;        ///< stable name for --columns and JSON keys: "p50"
    std::string header;    ///< displayed header: "p50 (ms)"
    bool numeric = false;  ///< contains numbers: sorts in descending order
    /// Kind of its numbers, in the unit of the header; with Style::adaptUnits each gets a fitting unit.
    Measure measure = Measure::None;
    bool shortenLists =
        false;  ///< text formats print a list of five or more as first, second ... last (n total)
};

/// Rows and columns, independent of the format.
struct Table {
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows = {};  ///< each with as many cells as `columns`
    bool indexed = true;                       ///< rows are numbered from 0, like the reference's
    std::vector<double> heat = {};             ///< share (0 to 1) of each row, shown as colour; may be empty
};

enum class Format : std::uint8_t { Table, Tsv, Csv, Json, Markdown };

/// Style of Format::Table; Markdown only uses `adaptUnits`, the other formats nothing. With a width or colour
/// the output is assumed to be a terminal: control characters in names from files are escaped.
struct Style {
    bool colour = false;
    std::size_t width = 0;  ///< columns of the terminal; 0: unlimited (like the reference)
    /// Show numbers of columns with a measure in fitting units, and headers without a unit.
    bool adaptUnits = false;

    [[nodiscard]] constexpr Style withUnits() const {
        return {.colour = colour, .width = width, .adaptUnits = true};
    }
};

/// Renders the table as text, ending in a newline. Format::Table without a width matches tabulate's
/// fancy_grid of a pandas frame byte for byte; Tsv and Csv match pandas; Json is an array of one object per
/// row, keyed by column id. A grid wider than Style::width is rendered without borders, with shortened text
/// cells.
[[nodiscard]] std::string render(const Table& table, Format format, Style style = {});

/// The header without its trailing unit in parentheses.
[[nodiscard]] std::string headerWithoutUnit(const Column& column);

/// The number of a cell; empty for other kinds.
[[nodiscard]] std::optional<double> cellNumber(const Cell& cell);

/// A cell as spelled by the text formats: numbers as Python's repr, lists and dictionaries as Python's str,
/// "" for no value and NaN.
[[nodiscard]] std::string cellText(const Cell& cell, const Column& column);

}  // namespace et::inspector::format
