#include "visualizers/gap/gap_quantity.h"

#include "visualizers/toolkit/text.h"

#include <algorithm>
#include <cmath>

namespace et::visualizers {

namespace {

using inspector::GapMetric;
using inspector::GapMetricInfo;
using inspector::GapReportRow;
using inspector::OwnError;
using inspector::plot::ErrorScale;
using inspector::plot::Tone;

auto ownNumber(double OwnError::* field) {
    return [field](const GapReportRow& row) -> std::optional<double> {
        return row.own ? std::optional((*row.own).*field) : std::nullopt;
    };
}

GapQuantity errors() {
    return {
        .id = QStringLiteral("errors"),
        .title = QStringLiteral("own and inherited error"),
        .meaning = QStringLiteral("Own: runtime compared with a replay on the same inputs. Inherited: that "
                                  "replay compared with the reference. Both as max absolute difference."),
        .unit = QStringLiteral(" max abs"),
        .scale = ErrorScale::Logarithmic,
        .needsBisection = true,
        .series = {{QStringLiteral("inherited"), Tone::Inherited, ownNumber(&OwnError::inherited)},
                   {QStringLiteral("own"), Tone::Own, ownNumber(&OwnError::own)}}};
}

GapQuantity steps() {
    return {.id = QStringLiteral("steps"),
            .title = QStringLiteral("own error in rounding steps"),
            .meaning = QStringLiteral("Correct rounding is off by at most half a step"),
            .unit = QStringLiteral(" steps"),
            .scale = ErrorScale::Logarithmic,
            .needsBisection = true,
            .series = {{QStringLiteral("own"), Tone::Own, ownNumber(&OwnError::ownSteps)}}};
}

/// "SNR (dB)".
bool isInDecibels(std::string_view title) {
    return title.ends_with("(dB)");
}

/// A cosine is near 1, so its difference from 1 is shown.
GapQuantity metric(const GapMetricInfo& info) {
    const bool cosine = info.metric == GapMetric::Cosine;
    const auto value = [which = info.metric, cosine](const GapReportRow& row) -> std::optional<double> {
        const auto number = metricOf(row, which);
        if (number && std::isnan(*number)) {
            return std::nullopt;  // has no place on the axis
        }
        return cosine && number ? std::optional(std::max(1 - *number, 0.0)) : number;
    };
    const QString title = cosine ? QStringLiteral("1 − cosine") : toQString(info.title);
    return {.id = toQString(info.name),
            .title = title,
            .meaning = toQString(info.meaning),
            .unit = isInDecibels(info.title) ? QStringLiteral(" dB") : QString(),
            .scale = info.higherIsBetter && !cosine ? ErrorScale::Decibels : ErrorScale::Logarithmic,
            .needsBisection = false,
            .series = {{title, Tone::Inherited, value}}};
}

}  // namespace

const std::vector<GapQuantity>& gapQuantities() {
    static const std::vector<GapQuantity> all = [] {
        std::vector<GapQuantity> made{errors(), steps()};
        for (const GapMetricInfo& each : inspector::gapMetrics) {
            made.push_back(metric(each));
        }
        return made;
    }();
    return all;
}

}  // namespace et::visualizers
