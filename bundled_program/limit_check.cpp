#include "bundled_program/limit_check.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace et::bundled_program::detail {
namespace {

/// Allows for rounding of products of steps and integers on both sides.
constexpr double roundingOfSteps = 1 + 1e-4;

/// -inf: noise where the expected output is zero; inf: no noise.
double signalToNoise(const Metrics& metrics) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return metrics.signalToNoiseDecibels.value_or(metrics.maxAbsoluteError.value_or(0) == 0 ? infinity
                                                                                            : -infinity);
}

double cosine(const Metrics& metrics) {
    return metrics.cosineSimilarity.value_or(metrics.maxAbsoluteError.value_or(0) == 0 ? 1 : 0);
}

}  // namespace

Tolerance elementTolerance(const Comparison& comparison) {
    const OutputLimits& limits = comparison.limits;
    if (!limits.any() || !limits.replaceTolerance) {
        return comparison.tolerance;
    }
    if (limits.step && limits.maxSteps) {
        return {.relative = 1e-6, .absolute = *limits.step * *limits.maxSteps * roundingOfSteps};
    }
    return {.relative = 0, .absolute = std::numeric_limits<double>::infinity()};
}

std::string brokenLimit(const Comparison& comparison) {
    const OutputLimits& limits = comparison.limits;
    const Metrics& metrics = comparison.metrics;
    if (limits.maxSteps && metrics.maxSteps.value_or(0) > *limits.maxSteps * roundingOfSteps &&
        !limits.replaceTolerance) {
        return fmt::format("{}: expected at most {:.4g} quantization steps of {:.4g}, got {:.4g}",
                           comparison.type, *limits.maxSteps, *limits.step, *metrics.maxSteps);
    }
    if (limits.minSnr && signalToNoise(metrics) < *limits.minSnr) {
        return fmt::format("{}: expected an SNR of at least {:.4g} dB, got {:.4g}", comparison.type,
                           *limits.minSnr, signalToNoise(metrics));
    }
    if (limits.minCosine && cosine(metrics) < *limits.minCosine) {
        return fmt::format("{}: expected a cosine of at least {:.8g}, got {:.8g}", comparison.type,
                           *limits.minCosine, cosine(metrics));
    }
    if (limits.sameTop1 && metrics.top1Agreement.value_or(1) < 1) {
        return fmt::format(
            "{}: expected the same largest element in every row, got it in {:.4g} % of the rows",
            comparison.type, 100 * *metrics.top1Agreement);
    }
    return {};
}

}  // namespace et::bundled_program::detail
