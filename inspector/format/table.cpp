#include "inspector/format/table.h"

#include "inspector/format/formats.h"
#include "inspector/format/python_text.h"
#include "runtime/core/utf8.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

namespace et::inspector::format {
namespace {

/// The reference's short form of a long list. Quotes without escaping.
std::string shortened(const List& items) {
    return fmt::format("['{}', '{}' ... '{}'] ({} total)", pythonValue(items[0]), pythonValue(items[1]),
                       pythonValue(items.back()), items.size());
}

std::string drawn(const Table& table, Style style) {
    std::optional<std::string> grid = fittingGrid(table, style);
    return grid ? *std::move(grid) : narrowLayout(table, style);
}

}  // namespace

std::string headerWithoutUnit(const Column& column) {
    const std::size_t open = column.header.rfind(" (");
    return column.header.ends_with(')') && open != std::string::npos ? column.header.substr(0, open)
                                                                     : column.header;
}

std::optional<double> cellNumber(const Cell& cell) {
    if (const auto* real = std::get_if<double>(&cell)) {
        return std::isnan(*real) ? std::nullopt : std::optional(*real);
    }
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
        return static_cast<double>(*integer);
    }
    const auto* count = std::get_if<std::uint64_t>(&cell);
    return count == nullptr ? std::nullopt : std::optional(static_cast<double>(*count));
}

std::string cellText(const Cell& cell, const Column& column) {
    constexpr std::size_t shortListItems = 5;
    if (std::holds_alternative<std::monostate>(cell)) {
        return {};
    }
    if (const auto* number = std::get_if<double>(&cell); number != nullptr && std::isnan(*number)) {
        return {};
    }
    if (const auto* list = std::get_if<List>(&cell);
        list != nullptr && column.shortenLists && list->size() >= shortListItems) {
        return core::utf8Repaired(shortened(*list));
    }
    return core::utf8Repaired(pythonValue(cell));
}

std::string render(const Table& table, Format format, Style style) {
    switch (format) {
        case Format::Table:
            return drawn(table, style);
        case Format::Tsv:
            return delimited(table, '\t');
        case Format::Csv:
            return delimited(table, ',');
        case Format::Json:
            return jsonRows(table);
        case Format::Markdown:
            return markdown(table, style);
    }
    return {};
}

}  // namespace et::inspector::format
