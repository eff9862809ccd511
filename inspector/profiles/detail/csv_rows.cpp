#include "inspector/profiles/detail/csv_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace et::inspector::profiles::detail {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::size_t maxCells = 256;
constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

core::Where lineOf(std::size_t line) {
    return {.file = {}, .field = fmt::format("line {}", line), .offset = {}};
}

std::string_view withoutMark(std::string_view text) {
    return text.starts_with(byteOrderMark) ? text.substr(byteOrderMark.size()) : text;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view spaces = " \t";
    const std::size_t first = text.find_first_not_of(spaces);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

}  // namespace

Result<std::optional<CsvRow>> CsvReader::next() {
    while (!text.empty() && (text.front() == '\n' || text.front() == '\r')) {
        line += text.front() == '\n' ? 1 : 0;
        text.remove_prefix(1);
    }
    if (text.empty()) {
        return std::nullopt;
    }
    CsvRow row{.line = line};
    for (bool more = true; more;) {
        if (row.cells.size() == maxCells) {
            return fail(ErrorCode::Limit, fmt::format("expected at most {} cells", maxCells), lineOf(line));
        }
        if (!text.empty() && text.front() == '"') {
            ET_ASSIGN(row.cells.emplace_back(), quotedCell());
        } else {
            row.cells.push_back(plainCell());
        }
        more = !text.empty() && text.front() == ',';
        if (more) {
            text.remove_prefix(1);
        }
    }
    return row;
}

/// Text after the closing quote up to the comma is kept as well.
Result<std::string> CsvReader::quotedCell() {
    const std::size_t start = line;
    std::string cell;
    text.remove_prefix(1);
    while (true) {
        const std::size_t quote = text.find('"');
        if (quote == std::string_view::npos) {
            return fail(ErrorCode::Format, "expected a closing quote, got the end of the file",
                        lineOf(start));
        }
        cell += text.substr(0, quote);
        text.remove_prefix(quote + 1);
        if (text.empty() || text.front() != '"') {
            break;
        }
        cell += '"';
        text.remove_prefix(1);
    }
    line += static_cast<std::size_t>(std::ranges::count(cell, '\n'));
    cell += plainCell();
    return cell;
}

std::string CsvReader::plainCell() {
    const std::size_t end = std::min(text.find_first_of(",\r\n"), text.size());
    std::string cell(trimmed(text.substr(0, end)));
    text.remove_prefix(end);
    return cell;
}

std::vector<std::string> csvHeader(std::string_view text) {
    constexpr std::size_t longest = std::size_t{1} << 16U;
    const std::string_view start = withoutMark(text).substr(0, longest);
    auto row = CsvReader(start.substr(0, start.find('\n'))).next();
    return row && *row ? std::move((*row)->cells) : std::vector<std::string>();
}

Result<> CsvTable::read(std::string_view text,
                        const std::function<Result<>(const CsvTable&, const CsvRow&)>& take) {
    CsvReader reader(withoutMark(text));
    CsvTable table;
    while (true) {
        ET_ASSIGN(auto row, reader.next());
        if (!row) {
            return {};
        }
        if (table.names.empty()) {
            table.names = std::move(row->cells);
        } else if (row->cells != table.names) {
            row->cells.resize(std::max(row->cells.size(), table.names.size()));
            ET_TRY(take(table, *row));
        }
    }
}

std::optional<std::size_t> CsvTable::find(std::initializer_list<std::string_view> wanted) const {
    const auto found = std::ranges::find_if(
        names, [&](const std::string& name) { return std::ranges::contains(wanted, name); });
    return found == names.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - names.begin()));
}

std::string CsvTable::nameOf(std::size_t column) const {
    return column < names.size() && !names[column].empty() ? names[column]
                                                           : fmt::format("column {}", column + 1);
}

void addOtherCells(const CsvTable& table, const CsvRow& row,
                   std::initializer_list<std::optional<std::size_t>> without, ProfileColumns& to) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        if (!row.cells[i].empty() && !std::ranges::contains(without, std::optional(i))) {
            to.emplace_back(table.nameOf(i), row.cells[i]);
        }
    }
}

Result<double> numberIn(const CsvRow& row, std::size_t column, std::string_view name) {
    const std::string& cell = row.cells[column];
    double number = 0;
    const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), number);
    if (read.ec != std::errc() || read.ptr != cell.data() + cell.size() || !std::isfinite(number) ||
        number < 0) {
        return fail(ErrorCode::Format,
                    fmt::format("expected a number that is not negative, got \"{}\"", core::printable(cell)),
                    {.file = {}, .field = fmt::format("line {}, {}", row.line, name), .offset = {}});
    }
    return number;
}

}  // namespace et::inspector::profiles::detail
