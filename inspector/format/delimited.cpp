#include "inspector/format/formats.h"

#include <fmt/format.h>

#include <iterator>

namespace et::inspector::format {
namespace {

/// Python's csv.QUOTE_MINIMAL.
void appendField(std::string& out, std::string_view text, char separator) {
    const char special[] = {separator, '"', '\n', '\r'};
    if (text.find_first_of(std::string_view(special, sizeof special)) == std::string_view::npos) {
        out += text;
        return;
    }
    out += '"';
    for (const char c : text) {
        out.append(c == '"' ? 2 : 1, c);
    }
    out += '"';
}

}  // namespace

std::string delimited(const Table& table, char separator) {
    std::string out;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        out.append(table.indexed || i > 0 ? 1 : 0, separator);
        appendField(out, table.columns[i].header, separator);
    }
    out += '\n';
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        if (table.indexed) {
            fmt::format_to(std::back_inserter(out), "{}", row);
        }
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            out.append(table.indexed || i > 0 ? 1 : 0, separator);
            appendField(out, cellText(table.rows[row][i], table.columns[i]), separator);
        }
        out += '\n';
    }
    return out;
}

}  // namespace et::inspector::format
