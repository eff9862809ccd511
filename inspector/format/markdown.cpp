#include "inspector/format/formats.h"

#include <fmt/format.h>

#include <iterator>

namespace et::inspector::format {
namespace {

/// Escapes text for a cell: pipes escaped, line breaks as <br>, and no markup.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '|':
            case '\\':
            case '*':
            case '`':
                out += '\\';
                out += c;
                break;
            case '<':
                out += "&lt;";
                break;
            case '&':
                out += "&amp;";
                break;
            case '\n':
                out += "<br>";
                break;
            case '\r':
                break;
            default:
                out += c;
        }
    }
    return out;
}

}  // namespace

std::string markdown(const Table& table, Style style) {
    const auto adapts = [&](const Column& column) {
        return style.adaptUnits && column.measure != Measure::None;
    };
    std::string header = table.indexed ? "| |" : "|";
    std::string rule = table.indexed ? "|---:|" : "|";
    for (const Column& column : table.columns) {
        header += fmt::format(" {} |", escaped(adapts(column) ? headerWithoutUnit(column) : column.header));
        rule += column.numeric ? "---:|" : "---|";
    }
    std::string out = header + "\n" + rule + "\n";
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        out += table.indexed ? fmt::format("| {} |", row) : "|";
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            const Column& column = table.columns[i];
            const Cell& cell = table.rows[row][i];
            const auto number = adapts(column) ? cellNumber(cell) : std::nullopt;
            fmt::format_to(std::back_inserter(out), " {} |",
                           escaped(number ? readable(*number, column.measure) : cellText(cell, column)));
        }
        out += '\n';
    }
    return out;
}

}  // namespace et::inspector::format
