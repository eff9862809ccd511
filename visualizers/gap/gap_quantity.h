#pragma once

#include "inspector/numeric_gap/gap_report.h"
#include "inspector/plot/error_plot.h"

#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace et::visualizers {

/// One of the numbers that a quantity has for each row.
struct GapSeries {
    QString name;
    inspector::plot::Tone tone = inspector::plot::Tone::Inherited;
    std::function<std::optional<double>(const inspector::GapReportRow&)> value;
};

/// Quantity of a plot: a metric, or the source of the error.
struct GapQuantity {
    QString id;  ///< for settings: "errors", "mse"
    QString title;
    QString meaning;
    QString unit{};  ///< suffix of numbers, " dB"; empty: no unit, or that of the tensor
    inspector::plot::ErrorScale scale = inspector::plot::ErrorScale::Logarithmic;
    bool needsBisection = false;  ///< requires isolated replay of operators
    std::vector<GapSeries> series;
};

/// All quantities: own and inherited error, rounding steps, then the metrics.
[[nodiscard]] const std::vector<GapQuantity>& gapQuantities();

}  // namespace et::visualizers
