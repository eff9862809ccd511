#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/core/result.h"

namespace et::inspector::report {

/// A cell by value; how it is printed is the format's business. monostate: no value.
using Cell = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string>;

struct Column {
    std::string id;      ///< stable name for --columns and JSON keys: "p50"
    std::string header;  ///< what people read: "p50 (ms)"
    bool numeric = false;
};

/// Rows and columns, ready for any format.
struct Table {
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;  ///< each as long as `columns`
    bool indexed = true;                  ///< rows are numbered from 0, as the reference's are
};

enum class Format : std::uint8_t { Table, Tsv, Csv, Json, Markdown };
[[nodiscard]] core::Result<Format> formatFromName(std::string_view name);

/// How to draw the text formats.
struct Style {
    bool colour = false;
    std::size_t width = 0;  ///< columns of the terminal; 0: unlimited (what the reference prints)
};

/// The whole table as text, ending in a newline. Format::Table without a width is byte for byte what tabulate
/// draws as fancy_grid; Tsv is what pandas writes with a tab as separator.
[[nodiscard]] std::string render(const Table& table, Format format, Style style = {});

}  // namespace et::inspector::report
