#include "inspector/format/formats.h"
#include "inspector/format/python_text.h"
#include "inspector/format/text_columns.h"

#include <algorithm>
#include <numeric>

namespace et::inspector::format {
namespace {

/// Characters of one horizontal line.
struct Rule {
    std::string_view left, stroke, joint, right;
};
constexpr Rule topRule{"╒", "═", "╤", "╕"};
constexpr Rule headerRule{"╞", "═", "╪", "╡"};
constexpr Rule rowRule{"├", "─", "┼", "┤"};
constexpr Rule bottomRule{"╘", "═", "╧", "╛"};

std::string ruleLine(const std::vector<TextColumn>& columns, const Rule& rule) {
    std::string line(rule.left);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        line += i == 0 ? "" : rule.joint;
        for (std::size_t n = 0; n < columns[i].width + 2; ++n) {
            line += rule.stroke;
        }
    }
    line += rule.right;
    return line += '\n';
}

/// One line of cells between bars. `text(column)` returns a cell's text.
template <class TextOf>
std::string cellLine(const std::vector<TextColumn>& columns, Tint tint, Style style, TextOf textOf) {
    std::string line;
    for (const TextColumn& column : columns) {
        line += "│ ";
        line += tinted(padded(textOf(column), column.width, column.alignsRight()), tint, style);
        line += ' ';
    }
    return line += "│\n";
}

bool isMultiline(const std::vector<TextColumn>& columns) {
    return std::ranges::any_of(columns, [](const TextColumn& column) {
        return std::ranges::any_of(column.cells, [](const std::string& cell) {
            return cell.find_first_of("\r\n") != std::string::npos;
        });
    });
}

/// A row whose cells may have several lines; shorter ones are padded below.
std::string multilineRow(const std::vector<TextColumn>& columns, std::size_t row, Tint tint, Style style) {
    std::vector<std::vector<std::string_view>> lines;
    std::size_t height = 1;
    for (const TextColumn& column : columns) {
        lines.push_back(pythonLines(column.cells[row]));
        height = std::max(height, lines.back().size());
    }
    std::string out;
    for (std::size_t line = 0; line < height; ++line) {
        out += cellLine(columns, tint, style, [&](const TextColumn& column) {
            const auto& own = lines[static_cast<std::size_t>(&column - columns.data())];
            return line < own.size() ? own[line] : std::string_view{};
        });
    }
    return out;
}

std::size_t gridWidth(const std::vector<TextColumn>& columns) {
    return std::accumulate(columns.begin(), columns.end(), std::size_t{1},
                           [](std::size_t sum, const TextColumn& column) { return sum + column.width + 3; });
}

std::string draw(const std::vector<TextColumn>& columns, const Table& table, Style style) {
    const bool multiline = isMultiline(columns);
    const std::string between = ruleLine(columns, rowRule);
    std::string out = ruleLine(columns, topRule);
    out += cellLine(columns, Tint::Bold, style,
                    [](const TextColumn& c) -> std::string_view { return c.header; });
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        out += row == 0 ? ruleLine(columns, headerRule) : between;
        const Tint tint = heatTint(table, row);
        out += multiline ? multilineRow(columns, row, tint, style)
                         : cellLine(columns, tint, style,
                                    [&](const TextColumn& c) -> std::string_view { return c.cells[row]; });
    }
    out += table.rows.empty() ? ruleLine(columns, headerRule) : "";
    return out += ruleLine(columns, bottomRule);
}

}  // namespace

std::optional<std::string> fittingGrid(const Table& table, Style style) {
    const std::vector<TextColumn> columns = textColumns(table, forTerminal(style), style.adaptUnits);
    if (style.width > 0 && gridWidth(columns) > style.width) {
        return std::nullopt;
    }
    return draw(columns, table, style);
}

}  // namespace et::inspector::format
