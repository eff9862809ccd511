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

/// How numbers of a quantity are placed: always so that worse is higher.
enum class GapScale : std::uint8_t {
    Logarithmic,  ///< powers of ten, with 0 at the bottom
    Decibels,     ///< linear and upside down, with infinity (equal tensors) at the bottom
};

/// One of the numbers that a quantity has of each row.
struct GapSeries {
    QString name;
    inspector::report::Meaning meaning = inspector::report::Meaning::Inherited;
    std::function<std::optional<double>(const inspector::GapReportRow&)> value;
};

/// What a plot shows of each operator: a metric, or where its error comes from.
struct GapQuantity {
    QString id;  ///< for settings: "errors", "mse"
    QString title;
    QString meaning;
    QString unit{};  ///< behind a number: " dB"; empty: it has none, or that of the tensor
    GapScale scale = GapScale::Logarithmic;
    bool needsBisection = false;  ///< only there when operators were replayed alone
    std::vector<GapSeries> series;
};

/// All there are: own and inherited error, steps of rounding, then the metrics.
[[nodiscard]] const std::vector<GapQuantity>& gapQuantities();

}  // namespace et::visualizers
