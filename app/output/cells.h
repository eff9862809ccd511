#pragma once

#include "inspector/format/change_text.h"
#include "inspector/format/json_text.h"
#include "inspector/format/list_of.h"
#include "inspector/format/quantities.h"
#include "inspector/format/table.h"
#include "inspector/format/text_cell.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// Results become cells, dictionaries and tables, which print as text and as JSON.
namespace et::output {

using inspector::format::Cell;
using inspector::format::cellNumber;
using inspector::format::Column;
using inspector::format::Dict;
using inspector::format::Format;
using inspector::format::jsonDocument;
using inspector::format::jsonLine;
using inspector::format::List;
using inspector::format::listOf;
using inspector::format::Measure;
using inspector::format::measureOf;
using inspector::format::optionalCell;
using inspector::format::plural;
using inspector::format::readable;
using inspector::format::readableBytes;
using inspector::format::readableChange;
using inspector::format::readablePercent;
using inspector::format::readableTime;
using inspector::format::render;
using inspector::format::Style;
using inspector::format::Table;
using inspector::format::textCell;

/// A column of text. An empty header is the id.
[[nodiscard]] inline Column textColumn(std::string id, std::string header = {}) {
    return {.id = id, .header = header.empty() ? id : std::move(header)};
}

/// A column of numbers.
[[nodiscard]] inline Column numberColumn(std::string id, std::string header,
                                         Measure measure = Measure::None) {
    Column column = textColumn(std::move(id), std::move(header));
    column.numeric = true;
    column.measure = measure;
    return column;
}
[[nodiscard]] inline Column numberColumn(std::string id, Measure measure = Measure::None) {
    return numberColumn(std::move(id), {}, measure);
}

constexpr double nanosecondsPerMillisecond = 1e6;

/// The cell as a variant, for std::get_if(), std::visit() and std::holds_alternative().
[[nodiscard]] inline const Cell::variant& variantOf(const Cell& cell) {
    return cell;
}

/// Appends the entries of `more` to `info`.
inline void append(Dict& info, Dict more) {
    std::ranges::move(more, std::back_inserter(info));
}

/// A time in milliseconds.
[[nodiscard]] inline Cell millisecondCell(const std::optional<double>& nanoseconds) {
    return nanoseconds ? Cell(*nanoseconds / nanosecondsPerMillisecond) : Cell();
}

/// The numbers of strong ids, such as debug handles.
template <class Number = std::int64_t, class Ids>
[[nodiscard]] std::vector<Number> numbersOf(const Ids& ids) {
    std::vector<Number> numbers;
    for (const auto id : ids) {
        numbers.push_back(static_cast<Number>(id.value));
    }
    return numbers;
}

}  // namespace et::output
