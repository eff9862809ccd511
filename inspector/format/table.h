#pragma once

#include "inspector/format/quantities.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace et::inspector::report {

struct Cell;
/// Values in order, of any kinds.
using List = std::vector<Cell>;
/// Keys in the order in which they print; the writers do not sort them.
using Dict = std::vector<std::pair<std::string, Cell>>;

/// A cell by value; how it is printed is the format's business: the text formats print it as Python does,
/// JSON as JSON. monostate: no value. Lists of numbers have packed alternatives, since a column of them holds
/// every sample of a trace.
struct Cell
    : std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string,
                   std::vector<std::int64_t>, std::vector<std::uint64_t>, std::vector<double>, List, Dict> {
    using variant::variant;
};

struct Column {
    std::string id;        ///< stable name for --columns and JSON keys: "p50"
    std::string header;    ///< what people read: "p50 (ms)"
    bool numeric = false;  ///< holds numbers: sorts largest first
    /// What its numbers are, in the unit of the header; with Style::adaptUnits each gets one that fits.
    Measure measure = Measure::None;
    bool shortenLists =
        false;  ///< text formats print a list of five or more as first, second ... last (n total)
};

/// Rows and columns, ready for any format.
struct Table {
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;  ///< each as long as `columns`
    bool indexed = true;                  ///< rows are numbered from 0, as the reference's are
    std::vector<double> heat;             ///< share (0 to 1) of each row, which colour shows; may be empty
};

enum class Format : std::uint8_t { Table, Tsv, Csv, Json, Markdown };

/// How to draw Format::Table; Markdown looks at `adaptUnits`, the other formats at nothing. With a width or
/// colour the text is taken to go to a terminal: control characters in names that came from a file are shown
/// escaped.
struct Style {
    bool colour = false;
    std::size_t width = 0;  ///< columns of the terminal; 0: unlimited (what the reference prints)
    /// For people: numbers of a column with a measure each in the unit that fits, the headers without one.
    bool adaptUnits = false;
};

/// The whole table as text, ending in a newline. Format::Table without a width is byte for byte what tabulate
/// draws as fancy_grid from a pandas frame; Tsv and Csv are what pandas writes; Json is an array of one
/// object a row, keyed by column id. A grid wider than Style::width is drawn without borders, its text cells
/// shortened.
[[nodiscard]] std::string render(const Table& table, Format format, Style style = {});

/// The header without the unit that ends it in parentheses.
[[nodiscard]] std::string headerWithoutUnit(const Column& column);

/// The number of a cell; nothing for other kinds.
[[nodiscard]] std::optional<double> cellNumber(const Cell& cell);

/// A cell as the text formats spell it: numbers as Python's repr, lists and dictionaries as Python's str, ""
/// for no value and NaN.
[[nodiscard]] std::string cellText(const Cell& cell, const Column& column);

}  // namespace et::inspector::report
