#include "inspector/format/formats.h"
#include "inspector/format/text_columns.h"
#include "runtime/core/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace et::inspector::format {
namespace {

constexpr std::size_t gap = 2;                 ///< blanks between columns
constexpr std::size_t shortestTextWidth = 12;  ///< minimum width when shortening text columns

/// Formats lists without brackets and quotes, to save space.
Cell plainList(const Cell& cell, const Column& column) {
    const auto* list = std::get_if<List>(&cell);
    if (list == nullptr) {
        return cell;
    }
    std::string text;
    for (const Cell& item : *list) {
        fmt::format_to(std::back_inserter(text), "{}{}", text.empty() ? "" : ", ", cellText(item, column));
    }
    return text;
}

std::vector<TextColumn> narrowColumns(const Table& table, bool adaptUnits) {
    Table plain = table;
    plain.indexed = false;
    for (auto& row : plain.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            row[i] = plainList(row[i], plain.columns[i]);
        }
    }
    std::vector<TextColumn> columns = textColumns(plain, true, adaptUnits);
    for (TextColumn& column : columns) {
        column.width = visibleWidth(column.header);
        for (const std::string& cell : column.cells) {
            column.width = std::max(column.width, visibleWidth(cell));
        }
    }
    return columns;
}

std::size_t totalWidth(const std::vector<TextColumn>& columns) {
    return std::accumulate(columns.begin(), columns.end(), columns.empty() ? 0 : gap * (columns.size() - 1),
                           [](std::size_t sum, const TextColumn& column) { return sum + column.width; });
}

/// Shortens text columns, the widest first, until the line fits. Returns false if that is not possible.
bool shrinkText(std::vector<TextColumn>& columns, std::size_t width) {
    while (totalWidth(columns) > width) {
        TextColumn* widest = nullptr;
        for (TextColumn& column : columns) {
            if (!column.alignsRight() && column.width > shortestTextWidth &&
                (widest == nullptr || column.width > widest->width)) {
                widest = &column;
            }
        }
        if (widest == nullptr) {
            return false;
        }
        --widest->width;
    }
    return true;
}

/// Drops columns from the right until the rest can fit; returns the headers of those dropped.
std::string fit(std::vector<TextColumn>& columns, std::size_t width) {
    std::string dropped;
    while (true) {
        std::vector<TextColumn> trial = columns;
        if (shrinkText(trial, width) || columns.size() == 1) {
            columns = std::move(trial);
            return dropped;
        }
        dropped = columns.back().header + (dropped.empty() ? "" : ", ") + dropped;
        columns.pop_back();
    }
}

/// Shortens `text` to at most `width` characters; the omitted middle is replaced with "…".
std::string elided(std::string_view text, std::size_t width) {
    const std::size_t length = core::utf8Length(text);
    if (length <= width) {
        return std::string(text);
    }
    const std::size_t tail = (width - 1) / 3;
    const std::size_t head = width - 1 - tail;
    std::string out;
    for (std::size_t at = 0; !text.empty(); ++at) {
        const std::size_t bytes = std::max<std::size_t>(1, core::utf8SequenceLength(text));
        if (at == head) {
            out += "…";
        }
        if (at < head || at >= length - tail) {
            out += text.substr(0, bytes);
        }
        text.remove_prefix(bytes);
    }
    return out;
}

template <class TextOf>
std::string line(const std::vector<TextColumn>& columns, Tint tint, Style style, TextOf textOf) {
    std::string text;
    for (const TextColumn& column : columns) {
        text.append(text.empty() ? 0 : gap, ' ');
        text += padded(elided(textOf(column), column.width), column.width, column.alignsRight());
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return tinted(std::move(text), tint, style) + "\n";
}

}  // namespace

std::string narrowLayout(const Table& table, Style style) {
    std::vector<TextColumn> columns = narrowColumns(table, style.adaptUnits);
    if (columns.empty()) {
        return "\n";
    }
    const std::string dropped = fit(columns, style.width);
    std::string out =
        line(columns, Tint::Bold, style, [](const TextColumn& c) -> std::string_view { return c.header; });
    for (std::size_t i = 0; i < std::min(totalWidth(columns), style.width); ++i) {
        out += "─";
    }
    out += '\n';
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        out += line(columns, heatTint(table, row), style,
                    [&](const TextColumn& c) -> std::string_view { return c.cells[row]; });
    }
    if (!dropped.empty()) {
        const std::string note = "not shown: " + dropped;
        out += tinted(elided(note, style.width), Tint::Dim, style) + "\n";
    }
    return out;
}

}  // namespace et::inspector::format
