#include "app/tasks/soak/soak_run.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/soak/inner_rounds.h"
#include "app/tasks/soak/soak_rounds.h"

#include <cmath>
#include <utility>

namespace et::tasks {
namespace {

using core::Result;

constexpr std::array variantInfos{
    SoakVariantInfo{"again", "it is not deterministic"},
    SoakVariantInfo{"fresh", "reloading it changes the results"},
    SoakVariantInfo{"poison", "it reads uninitialized memory"},
    SoakVariantInfo{"between", "it depends on earlier inputs"},
    SoakVariantInfo{"threads", "it depends on the number of threads"},
};
static_assert(variantInfos.size() == soakVariants);

/// Logarithm of the binomial coefficient (of choose count).
double logChoices(double of, double count) {
    return std::lgamma(of + 1) - std::lgamma(count + 1) - std::lgamma(of - count + 1);
}

/// Probability of at most `count` successes in `of` trials with probability `p`.
double atMost(std::size_t count, std::size_t of, double p) {
    double sum = 0;
    for (std::size_t i = 0; i <= count; ++i) {
        const auto k = static_cast<double>(i);
        const auto n = static_cast<double>(of);
        sum += std::exp(logChoices(n, k) + (k * std::log(p)) + ((n - k) * std::log1p(-p)));
    }
    return sum;
}

/// Finds the p at which a decreasing function has a value.
template <class Function>
double solve(const Function& falling, double value) {
    double low = 0;
    double high = 1;
    constexpr int halvings = 60;
    for (int i = 0; i < halvings; ++i) {
        const double middle = (low + high) / 2;
        (falling(middle) > value ? low : high) = middle;
    }
    return (low + high) / 2;
}

}  // namespace

const SoakVariantInfo& traits(SoakVariant variant) {
    return variantInfos[static_cast<std::size_t>(variant)];
}

SoakRate rateOf(std::size_t count, std::size_t of) {
    constexpr double outside = 0.05;
    if (of == 0) {
        return {};
    }
    SoakRate rate{.share = static_cast<double>(count) / static_cast<double>(of), .low = 0, .high = 1};
    // With 0 or all successes, the interval is one-sided.
    const double side = count == 0 || count == of ? outside : outside / 2;
    if (count < of) {
        rate.high = solve([&](double p) { return atMost(count, of, p); }, side);
    }
    if (count > 0) {
        rate.low = solve([&](double p) { return atMost(count - 1, of, p); }, 1 - side);
    }
    return rate;
}

Result<SoakResult> soak(const SoakSettings& settings, ProgressReporter& watch) {
    ET_ASSIGN(auto file, core::MappedFile::open(settings.model));
    ET_ASSIGN(SoakResult result, soakRounds(file,
                                            {.options = settings.options,
                                             .runs = settings.runs,
                                             .seconds = settings.seconds,
                                             .threads = settings.threads},
                                            watch));
    for (SoakFailure& failure : result.failures) {
        if (InterruptionGuard::requested()) {
            break;
        }
        locateInsideDelegate(settings, result.method, failure, watch);
    }
    return result;
}

}  // namespace et::tasks
