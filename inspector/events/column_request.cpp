#include "inspector/events/column_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <numeric>

namespace et::inspector::events {
namespace {

/// A cell in comparable form: numbers before texts, missing values last.
struct Comparable {
    bool missing = false;
    bool isNumber = false;
    double number = 0;
    std::string text;
};

struct ToComparable {
    const format::Column& column;

    Comparable operator()(std::monostate) const { return {.missing = true, .text = {}}; }
    Comparable operator()(bool value) const { return number(value ? 1 : 0); }
    Comparable operator()(std::int64_t value) const { return number(static_cast<double>(value)); }
    Comparable operator()(std::uint64_t value) const { return number(static_cast<double>(value)); }
    Comparable operator()(double value) const {
        return std::isnan(value) ? (*this)(std::monostate{}) : number(value);
    }
    template <class T>
    Comparable operator()(const T& other) const {
        return {.text = format::cellText(other, column)};
    }
    static Comparable number(double value) { return {.isNumber = true, .number = value, .text = {}}; }
};

std::weak_ordering compare(const Comparable& a, const Comparable& b) {
    if (a.isNumber != b.isNumber) {
        return a.isNumber ? std::weak_ordering::less : std::weak_ordering::greater;
    }
    return a.isNumber ? std::weak_order(a.number, b.number) : a.text <=> b.text;
}

}  // namespace

format::Column makeColumn(std::string_view id, std::string_view unit, bool numeric, TimeScale target) {
    const std::string_view shown = unit == timeUnit ? traits(target).name : unit;
    return {.id = std::string(id),
            .header = shown.empty() ? std::string(id) : fmt::format("{} ({})", id, shown),
            .numeric = numeric,
            .measure = unit == timeUnit      ? format::measureOf(target)
                       : unit == percentUnit ? format::Measure::Percent
                                             : format::Measure::None};
}

core::Error unknownColumn(std::string_view id, std::string_view where,
                          std::span<const std::string_view> known) {
    return {core::ErrorCode::NotFound,
            fmt::format("no column '{}'{}, expected one of {}", id, where, fmt::join(known, ", ")),
            {}};
}

SortKey parseSortKey(std::string_view text) {
    if (text.starts_with('+') || text.starts_with('-')) {
        return {text.substr(1),
                text[0] == '+' ? SortKey::Direction::Ascending : SortKey::Direction::Descending};
    }
    return {text, SortKey::Direction::Natural};
}

std::vector<std::size_t> sortedOrder(const std::vector<format::Cell>& cells, const format::Column& column,
                                     SortKey::Direction direction) {
    std::vector<Comparable> keys;
    for (const format::Cell& cell : cells) {
        keys.push_back(std::visit(ToComparable{column}, cell));
    }
    const bool descending = direction == SortKey::Direction::Natural
                                ? column.numeric
                                : direction == SortKey::Direction::Descending;
    std::vector<std::size_t> order(cells.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        if (keys[a].missing || keys[b].missing) {
            return !keys[a].missing && keys[b].missing;
        }
        return descending ? compare(keys[b], keys[a]) < 0 : compare(keys[a], keys[b]) < 0;
    });
    return order;
}

}  // namespace et::inspector::events
