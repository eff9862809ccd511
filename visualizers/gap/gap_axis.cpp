#include "visualizers/gap/gap_axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace et::visualizers {

namespace {

/// Grid step in levels.
double gridOf(GapScale scale) {
    return scale == GapScale::Decibels ? 10 : 1;
}

}  // namespace

GapAxis::GapAxis(GapScale kind, std::span<const double> numbers) : scale(kind) {
    double min = std::numeric_limits<double>::infinity();
    double max = -min;
    for (const double number : numbers) {
        if (!std::isnan(number) && !isEqual(number) && std::isfinite(levelOf(number))) {
            min = std::min(min, levelOf(number));
            max = std::max(max, levelOf(number));
        }
    }
    const double grid = gridOf(scale);
    if (min <= max) {
        low = std::floor(min / grid) * grid;
        high = std::max(std::ceil(max / grid) * grid, low + grid);
    }
}

bool GapAxis::isEqual(double number) const {
    return scale == GapScale::Decibels ? number == std::numeric_limits<double>::infinity() : number == 0;
}

double GapAxis::levelOf(double number) const {
    return scale == GapScale::Decibels ? -number : std::log10(std::abs(number));
}

std::optional<double> GapAxis::placeOf(double number) const {
    if (std::isnan(number)) {
        return std::nullopt;
    }
    if (isEqual(number)) {
        return 0;
    }
    const double share = std::clamp((levelOf(number) - low) / (high - low), 0.0, 1.0);
    return equalBand + (1 - equalBand) * share;
}

std::vector<GapAxis::Tick> GapAxis::ticks(int max) const {
    const bool decibels = scale == GapScale::Decibels;
    std::vector<Tick> all{{0, decibels ? QStringLiteral("∞") : QStringLiteral("0")}};
    const double grid = gridOf(scale);
    const double count = (high - low) / grid;
    const double step = grid * std::max(std::ceil(count / std::max(max, 1)), 1.0);
    for (double level = low; level <= high + grid / 2; level += step) {
        const double share = (level - low) / (high - low);
        all.push_back({equalBand + (1 - equalBand) * share,
                       decibels ? QString::number(-level) : QStringLiteral("1e%1").arg(level)});
    }
    return all;
}

}  // namespace et::visualizers
