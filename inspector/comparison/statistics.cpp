#include "inspector/comparison/statistics.h"

#include "inspector/comparison/statistics_power.h"
#include "inspector/comparison/statistics_ranks.h"
#include "inspector/comparison/statistics_resampling.h"
#include "inspector/comparison/statistics_student.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace et::inspector {
namespace {

/// Evenly spaced subset of very many samples.
std::vector<double> thinned(std::span<const double> samples) {
    if (samples.size() <= maxResampled) {
        return {samples.begin(), samples.end()};
    }
    std::vector<double> kept(maxResampled);
    for (std::size_t i = 0; i < kept.size(); ++i) {
        kept[i] = samples[i * samples.size() / maxResampled];
    }
    return kept;
}

/// The step of a clock that counts whole microseconds, as some delegates' do: 1000 if all samples are
/// multiples of it, else 0. Times are truncated, so two equal medians may differ by up to a step.
double clockStep(std::span<const double> a, std::span<const double> b) {
    constexpr double microsecond = 1000;
    const auto whole = [](double sample) { return std::fmod(sample, microsecond) == 0; };
    return std::ranges::all_of(a, whole) && std::ranges::all_of(b, whole) ? microsecond : 0;
}

/// Probability of `value` or more, with standard error `error`, if the true value is 0.
double probabilityAbove(double value, double error, double freedom) {
    if (error > 0) {
        return studentTail(value / error, freedom);
    }
    return value > 0 ? 0 : 1;
}

double standardDeviation(std::span<const double> values) {
    const double mean = std::reduce(values.begin(), values.end()) / static_cast<double>(values.size());
    double sum = 0;
    for (const double value : values) {
        sum += (value - mean) * (value - mean);
    }
    return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

/// Medians of both sides per resample.
struct Resampled {
    std::vector<double> a;
    std::vector<double> b;

    /// medianB * timesB - medianA * timesA
    [[nodiscard]] std::vector<double> combined(double timesA, double timesB) const {
        std::vector<double> values(a.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = b[i] * timesB - a[i] * timesA;
        }
        return values;
    }
};

/// B after removing A's level from each pair, which cancels drifts that both sides share.
std::vector<double> pairedRest(std::span<const double> a, std::span<const double> b) {
    const double middleA = median(a);
    const double ratio = middleA > 0 ? median(b) / middleA : 1;
    std::vector<double> rest(a.size());
    for (std::size_t i = 0; i < rest.size(); ++i) {
        rest[i] = b[i] - ratio * a[i];
    }
    return rest;
}

Resampled resample(std::span<const double> a, std::span<const double> b, bool paired, ResamplePlans& plans) {
    constexpr std::uint64_t streamA = 0;
    constexpr std::uint64_t streamB = 1;
    if (paired && a.size() == b.size()) {
        const ResamplePlan& plan = plans.plan(a.size(), blockLength(pairedRest(a, b)), streamA);
        return {.a = plan.medians(a), .b = plan.medians(b)};
    }
    Resampled medians;
    medians.a = plans.plan(a.size(), blockLength(a), streamA).medians(a);
    medians.b = plans.plan(b.size(), blockLength(b), streamB).medians(b);
    // Plans of very different sizes may have different numbers of resamples.
    const std::size_t common = std::min(medians.a.size(), medians.b.size());
    medians.a.resize(common);
    medians.b.resize(common);
    return medians;
}

void fillIntervals(TimeTest& test, const Resampled& medians, double confidence) {
    test.intervalA = middlePart(medians.a, confidence);
    test.intervalB = middlePart(medians.b, confidence);
    test.differenceInterval = middlePart(medians.combined(1, 1), confidence);
    if (test.medianA > 0) {
        test.ratio = test.medianB / test.medianA;
        std::vector<double> ratios(medians.a.size());
        for (std::size_t i = 0; i < ratios.size(); ++i) {
            ratios[i] = medians.a[i] > 0 ? medians.b[i] / medians.a[i] : std::numeric_limits<double>::max();
        }
        test.ratioInterval = middlePart(std::move(ratios), confidence);
    }
}

/// `samples`, each times `factor` minus `offset`.
std::vector<double> changed(std::span<const double> samples, double factor, double offset) {
    std::vector<double> values(samples.size());
    std::ranges::transform(samples, values.begin(), [&](double each) { return each * factor - offset; });
    return values;
}

/// Rank-test p-value that `slow` exceeds `fast` by more than the threshold and a clock step. Times that jump
/// between two levels mislead the bootstrap of a median, but not ranks.
double orderProbability(std::span<const double> slow, std::span<const double> fast, double more, double step,
                        bool paired) {
    std::vector<double> larger = changed(slow, 1, step);
    const std::vector<double> smaller = changed(fast, more, 0);
    if (!paired || larger.size() != smaller.size()) {
        return aboveByChance(larger, smaller);
    }
    std::ranges::transform(larger, smaller, larger.begin(), std::minus<>());
    return positiveByChance(larger);
}

/// Fills the probabilities; slower means B > A (1 + threshold), faster A > B (1 + threshold), so that
/// swapping the sides gives the opposite verdict.
void fillProbabilities(TimeTest& test, const SamplePair& samples, const Resampled& medians,
                       const TestOptions& options) {
    const auto freedom = static_cast<double>(std::min(test.countA, test.countB) - 1);
    const double step = clockStep(samples.a, samples.b);
    const double more = 1 + options.threshold;
    const double slowerError = standardDeviation(medians.combined(more, 1));
    const double fasterError = standardDeviation(medians.combined(1, more));
    const double slowerBy = test.medianB - test.medianA * more;
    const double fasterBy = test.medianA - test.medianB * more;
    test.slowerProbability = std::max(probabilityAbove(slowerBy - step, slowerError, freedom),
                                      orderProbability(samples.b, samples.a, more, step, options.paired));
    test.fasterProbability = std::max(probabilityAbove(fasterBy - step, fasterError, freedom),
                                      orderProbability(samples.a, samples.b, more, step, options.paired));
    test.otherProbability = std::max(probabilityAbove(-slowerBy, slowerError, freedom),
                                     probabilityAbove(-fasterBy, fasterError, freedom));
    if (test.difference == 0 && slowerError == 0 && fasterError == 0) {
        test.otherProbability = 0;
    }
}

/// Returns the pooled standard deviation of the logarithms of positive samples; 0 for one sample a side.
double logDeviation(std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (const std::span<const double> side : {a, b}) {
        double mean = 0;
        for (const double each : side) {
            mean += std::log(each) / static_cast<double>(side.size());
        }
        for (const double each : side) {
            sum += std::pow(std::log(each) - mean, 2);
        }
    }
    const std::size_t count = a.size() + b.size();
    return count > 2 ? std::sqrt(sum / static_cast<double>(count - 2)) : 0;
}

/// P-value that all of `slow` exceed all of `fast` by more than the threshold and a clock step; 1 if the
/// ranges overlap. For fewer than minSamples, whose spread is unreliable and therefore not assumed to be
/// below a usual one. Uses Student's t of the logarithms.
double apartProbability(std::span<const double> slow, std::span<const double> fast, double more,
                        double step) {
    constexpr double usualSpread = 0.1;
    constexpr double firstRunSpread = 1;  // a single run is cold: it may take several times as long
    constexpr double assumedFreedom = 1000;
    const double lowest = std::ranges::min(slow) - step;
    const double highest = std::ranges::max(fast) * more;
    if (std::ranges::min(fast) <= 0 || lowest <= highest) {
        return 1;
    }
    const bool single = std::min(slow.size(), fast.size()) == 1;
    const double spread = std::max(logDeviation(slow, fast), single ? firstRunSpread : usualSpread);
    const double error =
        spread * std::sqrt(1 / static_cast<double>(slow.size()) + 1 / static_cast<double>(fast.size()));
    const double distance = std::log((median(slow) - step) / (median(fast) * more));
    return studentTail(distance / error,
                       single ? assumedFreedom : static_cast<double>(slow.size() + fast.size() - 2));
}

/// Computes everything except the verdict.
TimeTest describe(const SamplePair& pair, const TestOptions& options, ResamplePlans& plans) {
    TimeTest test{.countA = pair.a.size(), .countB = pair.b.size()};
    const std::vector<double> a = thinned(pair.a);
    const std::vector<double> b = thinned(pair.b);
    test.medianA = median(a);
    test.medianB = median(b);
    test.difference = test.medianB - test.medianA;
    test.intervalA = {.low = test.medianA, .high = test.medianA};
    test.intervalB = {.low = test.medianB, .high = test.medianB};
    test.differenceInterval = {.low = test.difference, .high = test.difference};
    if (a.empty() || b.empty()) {
        return test;
    }
    test.driftA = drifts(a);
    test.driftB = drifts(b);
    const Resampled medians = resample(a, b, options.paired, plans);
    fillIntervals(test, medians, options.confidence);
    if (std::min(a.size(), b.size()) < minSamples) {
        const double step = clockStep(a, b);
        test.slowerProbability = apartProbability(b, a, 1 + options.threshold, step);
        test.fasterProbability = apartProbability(a, b, 1 + options.threshold, step);
        return test;
    }
    if (std::ranges::equal(a, b)) {
        test.otherProbability = 0;  // both sides are the same measurement
        return test;
    }
    fillProbabilities(test, {.a = a, .b = b}, medians, options);
    return test;
}

/// P-value of "neither slower nor faster"; doubled because either direction may be wrong.
double directionProbability(const TimeTest& test) {
    return std::min(1.0, 2 * std::min(test.slowerProbability, test.fasterProbability));
}

/// Sets the reason why a test has no verdict; `rate` is its allowed error rate.
void explain(TimeTest& test, double rate) {
    if (std::min(test.countA, test.countB) < minSamples) {
        test.reason = UndecidedReason::TooFewRuns;
        test.runsToDecide = minSamples;
        return;
    }
    test.runsToDecide = runsToDecide(test, rate);
    test.reason = test.runsToDecide ? UndecidedReason::Noise : UndecidedReason::AtThreshold;
}

/// Rejects in the order of probability as long as each is below rate / (number remaining). Definition: Holm,
/// "A simple sequentially rejective multiple test procedure", 1979.
void decide(std::span<TimeTest> family, double rate) {
    std::vector<std::size_t> order(family.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t at) { return directionProbability(family[at]); });
    bool rejecting = true;
    for (std::size_t i = 0; i < order.size(); ++i) {
        TimeTest& test = family[order[i]];
        rejecting = rejecting && directionProbability(test) <= rate / static_cast<double>(order.size() - i);
        if (rejecting) {
            test.verdict =
                test.slowerProbability < test.fasterProbability ? TimeVerdict::Slower : TimeVerdict::Faster;
        } else if (test.otherProbability <= rate) {
            test.verdict = TimeVerdict::Same;
        } else {
            explain(test, rate / static_cast<double>(order.size() - i));
        }
    }
}

}  // namespace

std::string_view name(TimeVerdict verdict) {
    return timeVerdicts[static_cast<std::size_t>(verdict)].name;
}

double median(std::span<const double> samples) {
    if (samples.empty()) {
        return 0;
    }
    std::vector<double> sorted(samples.begin(), samples.end());
    std::ranges::sort(sorted);
    return std::midpoint(sorted[(sorted.size() - 1) / 2], sorted[sorted.size() / 2]);
}

bool drifts(std::span<const double> samples) {
    constexpr std::size_t min = 10;
    constexpr double critical = 3.29;  // of a normal distribution: 0.1 % are beyond it
    if (samples.size() < min) {
        return false;
    }
    const auto count = static_cast<double>(samples.size());
    const double middle = (count - 1) / 2;
    const std::vector<double> places = ranks(samples);
    double together = 0;
    double spread = 0;
    double time = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const double when = static_cast<double>(i) - middle;
        together += when * (places[i] - middle);
        spread += (places[i] - middle) * (places[i] - middle);
        time += when * when;
    }
    return spread > 0 && std::abs(together) / std::sqrt(spread * time) * std::sqrt(count - 1) > critical;
}

std::vector<TimeTest> testTimes(std::span<const SamplePair> family, const TestOptions& options) {
    ResamplePlans plans(options.resamples, options.seed);
    std::vector<TimeTest> tests;
    tests.reserve(family.size());
    for (const SamplePair& pair : family) {
        tests.push_back(describe(pair, options, plans));
    }
    decide(tests, 1 - options.confidence);
    return tests;
}

TimeTest testTimes(std::span<const double> a, std::span<const double> b, const TestOptions& options) {
    const SamplePair pair{.a = a, .b = b};
    return testTimes(std::span(&pair, 1), options).front();
}

}  // namespace et::inspector
