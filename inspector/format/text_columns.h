#pragma once

#include "inspector/format/table.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Text columns as formed by tabulate: kind of the column, its cells as text, their alignment. Matches
/// tabulate
/// 0.9/0.10 without the wcwidth package: a character is one column wide.
namespace et::inspector::format {

/// Kind of a column, least general first: the most general cell decides.
enum class ColumnKind : std::uint8_t { Empty, Bool, Int, Float, Text };

/// One column, before padding.
struct TextColumn {
    std::string header;
    ColumnKind kind = ColumnKind::Text;
    std::vector<std::string> cells;  ///< numbers include the blanks that align their decimal points
    std::size_t width = 0;  ///< maximum of the widest cell line and of the header with its two blanks

    [[nodiscard]] bool alignsRight() const { return kind == ColumnKind::Int || kind == ColumnKind::Float; }
};

/// The columns of a table, starting with its index (under an empty header) if it has one and any rows.
/// `escape`: control characters are shown as \xNN, for a terminal. `adaptUnits`: see Style.
[[nodiscard]] std::vector<TextColumn> textColumns(const Table& table, bool escape, bool adaptUnits = false);

/// Width of one line: its characters without ANSI escape sequences.
[[nodiscard]] std::size_t visibleWidth(std::string_view line);

/// `text` padded with blanks to `width` on the left or on the right.
[[nodiscard]] std::string padded(std::string_view text, std::size_t width, bool alignRight);

/// Whether the style is for a terminal (a width or colour): text from files is then escaped.
[[nodiscard]] inline bool forTerminal(Style style) {
    return style.colour || style.width > 0;
}

/// Colour of a row's line: headers bold, rows with a high share (Table::heat) tinted.
enum class Tint : std::uint8_t { None, Bold, Warm, Hot, Dim };
/// Terminal codes by Tint; the first ends the others.
inline constexpr std::array<std::string_view, 5> tintCodes{"\x1B[0m", "\x1B[1m", "\x1B[33m", "\x1B[31m",
                                                           "\x1B[2m"};
[[nodiscard]] Tint heatTint(const Table& table, std::size_t row);
[[nodiscard]] std::string tinted(std::string text, Tint tint, Style style);

}  // namespace et::inspector::format
