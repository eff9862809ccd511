#include "visualizers/toolkit/cell_text.h"

#include "inspector/format/python_text.h"
#include "inspector/format/quantities.h"
#include "visualizers/toolkit/text.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace et::visualizers {

using inspector::format::Cell;

QString screenText(const Cell& cell, const inspector::format::Column& column, bool adaptUnits) {
    const bool adapts = adaptUnits && column.measure != inspector::format::Measure::None;
    if (const auto number = adapts ? inspector::format::cellNumber(cell) : std::nullopt;
        number && std::isfinite(*number)) {
        return QString::fromStdString(inspector::format::readable(*number, column.measure));
    }
    if (const double* const number = std::get_if<double>(&cell); number && !std::isnan(*number)) {
        return QString::fromStdString(inspector::format::pythonG(*number));
    }
    return toQString(inspector::format::cellText(cell, column));
}

QVariant sortKey(const Cell& cell, const inspector::format::Column& column) {
    if (const double* const number = std::get_if<double>(&cell)) {
        return std::isnan(*number) ? QVariant() : QVariant(*number);
    }
    if (const auto* const number = std::get_if<std::int64_t>(&cell)) {
        return QVariant(static_cast<double>(*number));
    }
    if (const auto* const number = std::get_if<std::uint64_t>(&cell)) {
        return QVariant(static_cast<double>(*number));
    }
    const std::string text = inspector::format::cellText(cell, column);
    return text.empty() ? QVariant() : QVariant(toQString(text));
}

}  // namespace et::visualizers
