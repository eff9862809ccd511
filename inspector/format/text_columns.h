#pragma once

#include "inspector/format/table.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Columns of text as tabulate forms them: what a column holds, its cells as text, their alignment.
/// Behaviour of tabulate 0.9/0.10 without the wcwidth package: a character is one column wide.
namespace et::inspector::report {

/// What a column holds, the least general kind first: one cell of a later kind makes the whole column so.
enum class ColumnKind : std::uint8_t { Empty, Bool, Int, Float, Text };

/// One column, ready to be padded.
struct TextColumn {
    std::string header;
    ColumnKind kind = ColumnKind::Text;
    std::vector<std::string> cells;  ///< numbers carry the blanks that line up their decimal points
    std::size_t width = 0;           ///< of the widest cell line and of the header with its two blanks

    [[nodiscard]] bool alignsRight() const { return kind == ColumnKind::Int || kind == ColumnKind::Float; }
};

/// The columns of a table, its index first (under an empty header) when it has one and any rows.
/// `escape`: control characters are shown as \xNN, for a terminal. `adaptUnits`: as Style has it.
[[nodiscard]] std::vector<TextColumn> textColumns(const Table& table, bool escape, bool adaptUnits = false);

/// Width of one line: its characters without ANSI escape sequences.
[[nodiscard]] std::size_t visibleWidth(std::string_view line);

/// `text` with blanks up to `width` on the left or on the right.
[[nodiscard]] std::string padded(std::string_view text, std::size_t width, bool alignRight);

/// Whether Style means a terminal (a width or colour): text from files is escaped there.
[[nodiscard]] inline bool forTerminal(Style style) {
    return style.colour || style.width > 0;
}

/// The line of a row in colour: headers bold, rows with a high share (Table::heat) tinted.
enum class Tint : std::uint8_t { None, Bold, Warm, Hot, Dim };
[[nodiscard]] Tint heatTint(const Table& table, std::size_t row);
[[nodiscard]] std::string tinted(std::string text, Tint tint, Style style);

}  // namespace et::inspector::report
