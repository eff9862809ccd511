#pragma once

#include "inspector/format/palette.h"
#include "inspector/numeric_gap/gap_report.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace et::visualizers {

/// Axis scale of a quantity; worse is always higher.
enum class GapScale : std::uint8_t {
    Logarithmic,  ///< powers of ten, with 0 at the bottom
    Decibels,     ///< linear and inverted, with infinity (equal tensors) at the bottom
};

/// One of the numbers that a quantity has for each row.
struct GapSeries {
    QString name;
    inspector::format::Meaning meaning = inspector::format::Meaning::Inherited;
    std::function<std::optional<double>(const inspector::GapReportRow&)> value;
};

/// Quantity of a plot: a metric, or the source of the error.
struct GapQuantity {
    QString id;  ///< for settings: "errors", "mse"
    QString title;
    QString meaning;
    QString unit{};  ///< suffix of numbers, " dB"; empty: no unit, or that of the tensor
    GapScale scale = GapScale::Logarithmic;
    bool needsBisection = false;  ///< requires isolated replay of operators
    std::vector<GapSeries> series;
};

/// All quantities: own and inherited error, rounding steps, then the metrics.
[[nodiscard]] const std::vector<GapQuantity>& gapQuantities();

}  // namespace et::visualizers
