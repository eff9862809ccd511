#include "inspector/format/text_columns.h"

#include "inspector/format/python_text.h"
#include "runtime/core/result.h"
#include "runtime/core/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace et::inspector::format {
namespace {

/// tabulate.MIN_PADDING: minimum excess width of a column over its header.
constexpr std::size_t headerPadding = 2;

/// Length of the control sequence (ECMA-48 CSI) at the start of `text`; 0 if there is none.
std::size_t controlSequenceLength(std::string_view text) {
    if (!text.starts_with("\x1B[")) {
        return 0;
    }
    std::size_t at = 2;
    const auto skip = [&](char first, char last) {
        while (at < text.size() && text[at] >= first && text[at] <= last) {
            ++at;
        }
    };
    skip(0x30, 0x3F);  // parameters
    skip(0x20, 0x2F);  // intermediates
    return at < text.size() && text[at] >= 0x40 && text[at] <= 0x7E ? at + 1 : 0;
}

std::string withoutControlSequences(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = controlSequenceLength(text);
        if (length == 0) {
            out += text[0];
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out;
}

/// Whether tabulate treats a text as a number: accepted by float(), but infinities and NaN only in its own
/// spelling.
bool countsAsNumber(std::string_view text) {
    const auto value = pythonParseFloat(text);
    if (!value) {
        return false;
    }
    if (std::isfinite(*value)) {
        return true;
    }
    constexpr std::array words{"inf", "-inf", "nan"};
    return std::ranges::any_of(words, [&](std::string_view word) {
        return std::ranges::equal(text, word, {},
                                  [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    });
}

ColumnKind kindOfText(const std::string& text) {
    const std::string plain = withoutControlSequences(text);
    if (plain == "True" || plain == "False") {
        return ColumnKind::Bool;
    }
    return isPythonInt(plain)      ? ColumnKind::Int
           : countsAsNumber(plain) ? ColumnKind::Float
                                   : ColumnKind::Text;
}

struct KindOf {
    ColumnKind operator()(std::monostate) const { return ColumnKind::Empty; }
    ColumnKind operator()(bool) const { return ColumnKind::Bool; }
    ColumnKind operator()(std::int64_t) const { return ColumnKind::Int; }
    ColumnKind operator()(std::uint64_t) const { return ColumnKind::Int; }
    ColumnKind operator()(double) const { return ColumnKind::Float; }
    ColumnKind operator()(const std::string& text) const { return kindOfText(text); }
    template <class T>
    ColumnKind operator()(const std::vector<T>&) const {
        return ColumnKind::Text;
    }
};

/// A cell of a Float column as format(float(cell), "g").
struct AsFloat {
    const Column& column;

    std::string operator()(bool value) const { return value ? "1" : "0"; }
    std::string operator()(std::int64_t value) const { return pythonG(static_cast<double>(value)); }
    std::string operator()(std::uint64_t value) const { return pythonG(static_cast<double>(value)); }
    std::string operator()(double value) const { return pythonG(value); }
    std::string operator()(const std::string& text) const {
        const auto value = pythonParseFloat(withoutControlSequences(text));
        return value ? pythonG(*value) : text;
    }
    template <class T>
    std::string operator()(const T& other) const {
        return cellText(other, column);
    }
};

std::string formatted(const Cell& cell, const Column& column, ColumnKind kind) {
    if (kind == ColumnKind::Float) {
        return std::visit(AsFloat{column}, cell);
    }
    if (const auto* number = std::get_if<double>(&cell)) {
        return pythonFloat(*number);
    }
    return cellText(cell, column);
}

/// Characters after the point, or after the "e" of a number without one; -1 for others.
int decimals(std::string_view number) {
    const std::size_t point = number.find('.');
    const std::size_t mark = point != std::string_view::npos ? point : number.find('e');
    return mark == std::string_view::npos ? -1 : static_cast<int>(number.size() - mark - 1);
}

void alignDecimals(std::vector<std::string>& cells) {
    int max = -1;
    for (const std::string& cell : cells) {
        max = std::max(max, decimals(cell));
    }
    for (std::string& cell : cells) {
        cell.append(static_cast<std::size_t>(max - decimals(cell)), ' ');
    }
}

std::size_t widestLine(std::string_view text) {
    std::size_t widest = 0;
    while (true) {
        const std::size_t end = text.find_first_of("\r\n");
        widest = std::max(widest, visibleWidth(text.substr(0, end)));
        if (end == std::string_view::npos) {
            return widest;
        }
        text.remove_prefix(end + 1);
    }
}

/// Numbers in fitting units; other texts of the column are unchanged.
TextColumn quantityColumn(const Table& table, std::size_t at, bool escape) {
    const Column& column = table.columns[at];
    TextColumn out{.header = headerWithoutUnit(column), .kind = ColumnKind::Float, .cells = {}, .width = 0};
    std::vector<std::optional<double>> numbers;
    for (const auto& row : table.rows) {
        numbers.push_back(cellNumber(row[at]));
    }
    out.cells = alignedQuantities(numbers, column.measure);
    for (std::size_t row = 0; row < numbers.size(); ++row) {
        if (!numbers[row]) {
            const std::string text = cellText(table.rows[row][at], column);
            out.cells[row] = escape ? core::printable(text) : text;
        }
    }
    return out;
}

TextColumn makeColumn(const Table& table, std::size_t at, bool escape) {
    TextColumn out{.header = table.columns[at].header, .kind = ColumnKind::Bool, .cells = {}, .width = 0};
    for (const auto& row : table.rows) {
        out.kind = std::max(out.kind, std::visit(KindOf{}, row[at]));
    }
    for (const auto& row : table.rows) {
        std::string text = formatted(row[at], table.columns[at], out.kind);
        text = escape ? core::printable(text) : text;
        out.cells.push_back(out.alignsRight() ? std::move(text) : std::string(pythonStrip(text)));
    }
    if (out.kind == ColumnKind::Float) {
        alignDecimals(out.cells);
    }
    return out;
}

TextColumn indexColumn(std::size_t rows) {
    TextColumn out{.header = "", .kind = ColumnKind::Int, .cells = {}, .width = 0};
    for (std::size_t row = 0; row < rows; ++row) {
        out.cells.push_back(fmt::format("{}", row));
    }
    return out;
}

}  // namespace

std::vector<TextColumn> textColumns(const Table& table, bool escape, bool adaptUnits) {
    std::vector<TextColumn> columns;
    if (table.indexed && !table.rows.empty()) {
        columns.push_back(indexColumn(table.rows.size()));
    }
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const bool adapts = adaptUnits && table.columns[i].measure != Measure::None;
        columns.push_back(adapts ? quantityColumn(table, i, escape) : makeColumn(table, i, escape));
    }
    for (TextColumn& column : columns) {
        column.width = visibleWidth(column.header) + headerPadding;
        for (const std::string& cell : column.cells) {
            column.width = std::max(column.width, widestLine(cell));
        }
    }
    return columns;
}

std::size_t visibleWidth(std::string_view line) {
    const bool plain = line.find('\x1B') == std::string_view::npos;
    return plain ? core::utf8Length(line) : core::utf8Length(withoutControlSequences(line));
}

std::string padded(std::string_view text, std::size_t width, bool alignRight) {
    const std::size_t used = visibleWidth(text);
    const std::string blanks(width > used ? width - used : 0, ' ');
    return alignRight ? blanks + std::string(text) : std::string(text) + blanks;
}

Tint heatTint(const Table& table, std::size_t row) {
    constexpr double hot = 0.10;
    constexpr double warm = 0.03;
    const double share = row < table.heat.size() ? table.heat[row] : 0;
    return share >= hot ? Tint::Hot : share >= warm ? Tint::Warm : Tint::None;
}

std::string tinted(std::string text, Tint tint, Style style) {
    if (!style.colour || tint == Tint::None) {
        return text;
    }
    return fmt::format("{}{}{}", tintCodes[static_cast<std::size_t>(tint)], text, tintCodes.front());
}

}  // namespace et::inspector::format
