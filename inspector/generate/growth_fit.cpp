#include "inspector/generate/growth_fit.h"

#include "inspector/comparison/statistics_student.h"
#include "inspector/join/percentile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

namespace et::inspector {
namespace {

constexpr double confidence = 0.95;
constexpr double minChange = 0.05;  // share of the time, from first to last
constexpr double nearOne = 0.2;     // exponents this close to 1 are considered linear
constexpr double farOut = 3;        // in interquartile ranges
constexpr double minExponent = 0.25;
constexpr double maxExponent = 3;
constexpr double exponentStep = 0.05;

constexpr std::array kindNames{
    std::pair{GrowthKind::Unknown, std::string_view("unknown")},
    std::pair{GrowthKind::Constant, std::string_view("constant")},
    std::pair{GrowthKind::Linear, std::string_view("linear")},
    std::pair{GrowthKind::Power, std::string_view("power")},
    std::pair{GrowthKind::Falls, std::string_view("falls")},
};

using Samples = std::vector<GrowthSample>;

/// A straight line fitted to samples.
struct Line {
    double base = 0;
    double slope = 0;
    double squares = 0;     ///< sum of squared residuals
    double allSquares = 0;  ///< sum of squares around the mean
    double spread = 0;      ///< sum of the squares of x around its mean
};

template <class X>
Line lineThrough(const Samples& samples, X x) {
    const auto count = static_cast<double>(samples.size());
    double meanX = 0;
    double meanY = 0;
    for (const GrowthSample& each : samples) {
        meanX += x(each) / count;
        meanY += each.time / count;
    }
    Line line;
    double both = 0;
    for (const GrowthSample& each : samples) {
        line.spread += (x(each) - meanX) * (x(each) - meanX);
        both += (x(each) - meanX) * (each.time - meanY);
        line.allSquares += (each.time - meanY) * (each.time - meanY);
    }
    line.slope = line.spread > 0 ? both / line.spread : 0;
    line.base = meanY - line.slope * meanX;
    for (const GrowthSample& each : samples) {
        const double left = each.time - line.base - line.slope * x(each);
        line.squares += left * left;
    }
    return line;
}

double positionOf(const GrowthSample& sample) {
    return sample.position;
}

double computeMedian(std::span<const GrowthSample> samples, double GrowthSample::* which) {
    std::vector<double> values;
    for (const GrowthSample& each : samples) {
        values.push_back(each.*which);
    }
    return computePercentile(values, 0.5);
}

/// Outlier-resistant line through the medians of the first and the last third.
Line resistantLine(const Samples& sorted) {
    const auto all = std::span(sorted);
    const std::size_t third = std::max<std::size_t>(1, sorted.size() / 3);
    const double x1 = computeMedian(all.first(third), &GrowthSample::position);
    const double x2 = computeMedian(all.last(third), &GrowthSample::position);
    const double y1 = computeMedian(all.first(third), &GrowthSample::time);
    const double y2 = computeMedian(all.last(third), &GrowthSample::time);
    Line line;
    line.slope = x2 > x1 ? (y2 - y1) / (x2 - x1) : 0;
    std::vector<double> bases;
    for (const GrowthSample& each : sorted) {
        bases.push_back(each.time - line.slope * each.position);
    }
    line.base = computePercentile(bases, 0.5);
    return line;
}

/// The samples close to the line.
Samples withoutOutliers(const Samples& samples, const Line& line) {
    std::vector<double> left;
    for (const GrowthSample& each : samples) {
        left.push_back(each.time - line.base - line.slope * each.position);
    }
    const double lower = computePercentile(left, 0.25);
    const double upper = computePercentile(left, 0.75);
    const double room = farOut * (upper - lower);
    Samples kept;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (left[i] >= lower - room && left[i] <= upper + room) {
            kept.push_back(samples[i]);
        }
    }
    return kept;
}

/// Finds the exponent with the least squares, and the interval of those that are hardly worse.
void fitExponent(const Samples& samples, GrowthFit& fit) {
    const auto freedom = static_cast<double>(samples.size()) - 3;
    std::vector<std::pair<double, double>> squares;  // for each exponent
    const int steps = static_cast<int>(std::lround((maxExponent - minExponent) / exponentStep));
    for (int i = 0; i <= steps; ++i) {
        const double exponent = minExponent + i * exponentStep;
        const Line line = lineThrough(
            samples, [&](const GrowthSample& each) { return std::pow(each.position + 1, exponent); });
        squares.emplace_back(exponent, line.squares);
    }
    const auto best = std::ranges::min_element(squares, {}, &std::pair<double, double>::second);
    const double margin = studentMargin(confidence, freedom);
    const double most = best->second * (1 + margin * margin / freedom);
    Interval interval{.low = best->first, .high = best->first};
    for (const auto& [exponent, left] : squares) {
        if (left <= most) {
            interval.low = std::min(interval.low, exponent);
            interval.high = std::max(interval.high, exponent);
        }
    }
    fit.exponent = best->first;
    fit.exponentInterval = interval;
}

GrowthKind kindOf(const GrowthFit& fit, double typical) {
    const double change = fit.last - fit.first;
    if (fit.slopeInterval.contains(0) || std::abs(change) < minChange * typical) {
        return GrowthKind::Constant;
    }
    return change > 0 ? GrowthKind::Linear : GrowthKind::Falls;
}

std::size_t differentPositions(std::span<const GrowthSample> samples) {
    std::set<double> positions;
    for (const GrowthSample& each : samples) {
        positions.insert(each.position);
    }
    return positions.size();
}

}  // namespace

std::string_view growthKindName(GrowthKind kind) {
    return std::ranges::find(kindNames, kind, &std::pair<GrowthKind, std::string_view>::first)->second;
}

GrowthFit fitGrowth(std::span<const GrowthSample> samples) {
    GrowthFit fit{.samples = samples.size()};
    if (differentPositions(samples) < minGrowthSamples) {
        return fit;
    }
    Samples sorted(samples.begin(), samples.end());
    std::ranges::stable_sort(sorted, {}, &GrowthSample::position);
    const Samples kept = withoutOutliers(sorted, resistantLine(sorted));
    if (differentPositions(kept) < minGrowthSamples) {
        return fit;
    }
    const Line line = lineThrough(kept, positionOf);
    const auto freedom = static_cast<double>(kept.size()) - 2;
    const double error = std::sqrt(line.squares / freedom / line.spread);
    const double margin = studentMargin(confidence, freedom) * error;
    fit.outliers = samples.size() - kept.size();
    fit.base = line.base;
    fit.slope = line.slope;
    fit.slopeInterval = {.low = line.slope - margin, .high = line.slope + margin};
    fit.rSquared = line.allSquares > 0 ? 1 - line.squares / line.allSquares : 1;
    fit.first = fit.at(kept.front().position);
    fit.last = fit.at(kept.back().position);
    fit.kind = kindOf(fit, computeMedian(kept, &GrowthSample::time));
    if (fit.kind == GrowthKind::Linear) {
        fitExponent(kept, fit);
        const bool linear = fit.exponentInterval->contains(1) || std::abs(*fit.exponent - 1) <= nearOne;
        fit.kind = linear ? GrowthKind::Linear : GrowthKind::Power;
    }
    return fit;
}

}  // namespace et::inspector
