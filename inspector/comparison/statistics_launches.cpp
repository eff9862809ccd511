#include "inspector/comparison/statistics_launches.h"

#include "inspector/comparison/draws.h"
#include "inspector/comparison/launch_effects.h"
#include "inspector/comparison/statistics_power.h"
#include "inspector/comparison/statistics_resampling.h"
#include "inspector/comparison/statistics_signs.h"
#include "inspector/comparison/statistics_student.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

namespace et::inspector {
namespace {

using comparison::detail::LaunchEffects;
using comparison::detail::MeanAndError;
using comparison::detail::ProcessEffects;
using comparison::detail::within;

/// The runs of both sides in one launch.
struct LaunchRuns {
    std::span<const double> a;
    std::span<const double> b;
};

/// Hierarchical bootstrap: the variation of the mean difference if all launches and their runs were measured
/// again. Definition: Davison and Hinkley, "Bootstrap methods and their application", 1997, section 3.8.
struct HierarchyPlan {
    std::size_t resamples = 2000;
    std::size_t work = 20'000'000;  ///< maximum number of run draws
    std::uint64_t seed = 0;
};

/// Means over redrawn launches, each with one of its `redrawn` values minus its `offset`, clipped to `kept`,
/// plus `added`.
struct RedrawnLaunches {
    std::span<const std::vector<double>> redrawn;
    std::span<const double> offset;
    std::span<const double> added;
    Interval kept{};
};

/// fasterHalf() of as many runs redrawn from `sorted`, which is ascending.
double redrawnHalf(std::span<const double> sorted, std::vector<std::uint32_t>& drawn, Draws& draws) {
    drawn.assign(sorted.size(), 0);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        ++drawn[draws.below(sorted.size())];
    }
    const std::size_t half = (sorted.size() + 1) / 2;
    std::size_t left = half;
    double sum = 0;
    for (std::size_t i = 0; left > 0; ++i) {
        const std::size_t taken = std::min<std::size_t>(left, drawn[i]);
        sum += sorted[i] * static_cast<double>(taken);
        left -= taken;
    }
    return sum / static_cast<double>(half);
}

std::vector<double> sorted(std::span<const double> runs) {
    std::vector<double> copy(runs.begin(), runs.end());
    std::ranges::sort(copy);
    return copy;
}

/// For each launch, logarithms of fasterHalf(b) / fasterHalf(a) with its runs redrawn; times are at least
/// `floor`.
std::vector<std::vector<double>> redrawnRuns(std::span<const LaunchRuns> launches, double floor,
                                             const HierarchyPlan& plan) {
    constexpr std::size_t most = 200;
    constexpr std::size_t least = 20;
    std::size_t runs = 1;
    for (const LaunchRuns& each : launches) {
        runs += each.a.size() + each.b.size();
    }
    const std::size_t each = std::clamp(plan.work / runs, least, most);
    Draws draws(plan.seed);
    std::vector<std::uint32_t> drawn;
    std::vector<std::vector<double>> redrawn;
    for (const LaunchRuns& launch : launches) {
        const std::vector<double> a = sorted(launch.a);
        const std::vector<double> b = sorted(launch.b);
        std::vector<double>& values = redrawn.emplace_back(each);
        for (double& value : values) {
            const double timeA = std::max(floor, redrawnHalf(a, drawn, draws));
            const double timeB = std::max(floor, redrawnHalf(b, drawn, draws));
            value = std::log(timeB / timeA);
        }
    }
    return redrawn;
}

std::vector<double> redrawnMeans(const RedrawnLaunches& launches, const HierarchyPlan& plan) {
    const std::size_t count = launches.redrawn.size();
    Draws draws(plan.seed + 1);
    std::vector<double> means(count == 0 ? 0 : plan.resamples);
    for (double& mean : means) {
        double sum = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t launch = draws.below(count);
            const std::vector<double>& values = launches.redrawn[launch];
            const double own = values[draws.below(values.size())] - launches.offset[launch];
            sum += std::clamp(own, launches.kept.low, launches.kept.high) + launches.added[launch];
        }
        mean = sum / static_cast<double>(count);
    }
    return means;
}

Interval hull(const Interval& left, const Interval& right) {
    return {.low = std::min(left.low, right.low), .high = std::max(left.high, right.high)};
}

Interval exponential(const Interval& logarithms) {
    return {.low = std::exp(logarithms.low), .high = std::exp(logarithms.high)};
}

/// Estimate and intervals of one member of the family.
class Description {
  public:
    Description(const LaunchEffects& what, const ProcessEffects& common, const HierarchyPlan& again,
                FamilyKind sort, const TestOptions& given)
        : member(what), process(common), plan(again), kind(sort), options(given) {}

    [[nodiscard]] TimeTest describe(ResamplePlans& plans) const {
        TimeTest test{.launches = member.launches()};
        for (const auto* side : {&member.samples->a, &member.samples->b}) {
            for (const std::span<const double> each : *side) {
                (side == &member.samples->a ? test.countA : test.countB) += each.size();
            }
        }
        test.medianA = median(member.timesA);
        test.medianB = median(member.timesB);
        if (test.launches == 0) {
            return test;
        }
        test.intervalA = intervalOf(member.timesA, plans);
        test.intervalB = intervalOf(member.timesB, plans);
        test.driftA = drifts(member.timesA);
        test.driftB = drifts(member.timesB);
        fillChange(test);
        return test;
    }

  private:
    [[nodiscard]] Interval intervalOf(std::span<const double> times, ResamplePlans& plans) const {
        return middlePart(plans.plan(times.size(), 1, 0).medians(times), options.confidence);
    }

    void fillChange(TimeTest& test) const {
        std::vector<double> all = within(member.own, member.range);
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i] += process.share * process.cut[i];
        }
        MeanAndError whole = comparison::detail::meanOf(member.where(all));
        whole.error /= comparison::detail::shareWithin(member.where(member.own), member.range);
        const double change = shrunken(whole.mean);
        const double freedom = std::max(1.0, static_cast<double>(test.launches) - 1);
        const double margin =
            test.launches < 2 ? 0 : studentMargin(options.confidence, freedom) * whole.error;
        Interval interval{.low = whole.mean - margin, .high = whole.mean + margin};
        interval = hull(interval, {.low = change, .high = change});
        interval = hull(interval, redrawn());
        fillTimes(test, change, interval);
        fillSame(test, whole, freedom);
    }

    /// For operators, shrinks their own part unless it clearly exceeds its error.
    [[nodiscard]] double shrunken(double mean) const {
        if (kind == FamilyKind::Independent) {
            return mean;
        }
        MeanAndError own = comparison::detail::meanOf(within(member.where(member.own), member.range));
        own.error /= comparison::detail::shareWithin(member.where(member.own), member.range);
        return mean - own.mean * (1 - believedShare(own.mean, own.error, 1));
    }

    [[nodiscard]] Interval redrawn() const {
        std::vector<LaunchRuns> runs;
        for (std::size_t i = 0; i < member.present.size(); ++i) {
            if (member.present[i] > 0) {
                runs.push_back({.a = member.samples->a[i], .b = member.samples->b[i]});
            }
        }
        const auto values = redrawnRuns(runs, member.floor, plan);
        std::vector<double> added = member.where(process.cut);
        for (double& each : added) {
            each *= process.share;
        }
        const std::vector<double> offset = member.where(process.raw);
        return middlePart(
            redrawnMeans({.redrawn = values, .offset = offset, .added = added, .kept = member.range}, plan),
            options.confidence);
    }

    static void fillTimes(TimeTest& test, double change, const Interval& interval) {
        const Interval ratios = exponential(interval);
        test.difference = test.medianA * (std::exp(change) - 1);
        test.differenceInterval = {.low = test.medianA * (ratios.low - 1),
                                   .high = test.medianA * (ratios.high - 1)};
        if (test.medianA > 0) {
            test.ratio = std::exp(change);
            test.ratioInterval = ratios;
        }
    }

    void fillSame(TimeTest& test, const MeanAndError& change, double freedom) const {
        const double limit = std::log1p(options.threshold);
        const double distance = limit - std::abs(change.mean);
        if (test.launches < 2) {
            return;
        }
        test.otherProbability =
            change.error > 0 ? studentTail(distance / change.error, freedom) : (distance >= 0 ? 0.0 : 1.0);
    }

    const LaunchEffects& member;
    const ProcessEffects& process;
    const HierarchyPlan& plan;
    FamilyKind kind;
    const TestOptions& options;
};

/// Approximate number of launches for a verdict; like runsToDecide() for runs.
std::optional<std::uint64_t> launchesToDecide(const TimeTest& test, const TestOptions& options) {
    constexpr double max = 1e4;
    if (!test.ratio || !test.ratioInterval) {
        return std::nullopt;
    }
    const double rate = 1 - options.confidence;
    const double limit = std::log1p(options.threshold);
    const double change = std::abs(std::log(*test.ratio));
    const bool isDirection = change > limit;
    const double freedom = std::max(1.0, static_cast<double>(test.launches) - 1);
    const double error = (std::log(test.ratioInterval->high) - std::log(test.ratioInterval->low)) / 2 /
                         studentMargin(options.confidence, freedom);
    const double distance = (isDirection ? change : limit - change) / error;
    const double needed = normalQuantile(1 - (isDirection ? rate / 4 : rate)) + normalQuantile(planPower);
    const double more = static_cast<double>(test.launches) * (needed / distance) * (needed / distance);
    return std::isfinite(more) && more <= max ? std::optional(std::max<std::uint64_t>(
                                                    minLaunches, static_cast<std::uint64_t>(std::ceil(more))))
                                              : std::nullopt;
}

void decide(TimeTest& test, const LaunchEffects& member, const TestOptions& options) {
    const double rate = 1 - options.confidence;
    const double share = rate / 2;  // the other half is for the report's other family
    const double direction = 2 * std::min(test.slowerProbability, test.fasterProbability);
    if (test.launches < minLaunches) {
        test.reason = UndecidedReason::TooFewLaunches;
        test.launchesToDecide = minLaunches;
        return;
    }
    const bool isFar = test.ratio && std::abs(std::log(*test.ratio)) > std::log1p(options.threshold);
    constexpr double rounding = 1 + 1e-9;
    const bool isSeen =
        std::abs(test.difference) > member.samples->resolution * rounding && !member.tooShort();
    const bool isSure = direction <= share && test.ratioInterval && !test.ratioInterval->contains(1.0);
    if (isFar && isSeen && isSure) {
        test.verdict = *test.ratio > 1 ? TimeVerdict::Slower : TimeVerdict::Faster;
    } else if (test.otherProbability <= rate) {
        test.verdict = TimeVerdict::Same;
    } else if (member.tooShort()) {
        test.reason = UndecidedReason::TooShort;
    } else {
        test.launchesToDecide = launchesToDecide(test, options);
        test.reason = test.launchesToDecide ? UndecidedReason::LaunchNoise : UndecidedReason::AtThreshold;
    }
}

/// Divides the budget of about a second between all operators.
HierarchyPlan planFor(std::span<const LaunchEffects> members, const TestOptions& options) {
    constexpr std::size_t drawsOfRuns = 100'000'000;
    constexpr std::size_t drawsOfLaunches = 50'000'000;
    constexpr std::size_t mostPerMember = 400'000;
    constexpr std::size_t leastResamples = 300;
    const std::size_t count = std::max<std::size_t>(1, members.size());
    const std::size_t launches =
        members.empty() ? 1 : std::max<std::size_t>(1, members.front().present.size());
    const std::size_t affordable = std::max(leastResamples, drawsOfLaunches / count / launches);
    return {.resamples = std::min(options.resamples, affordable),
            .work = std::min(mostPerMember, drawsOfRuns / count),
            .seed = options.seed};
}

}  // namespace

std::vector<TimeTest> testLaunches(std::span<const LaunchSamples> family, FamilyKind kind,
                                   const TestOptions& options) {
    std::vector<LaunchEffects> members(family.begin(), family.end());
    const ProcessEffects process(members, kind);
    std::vector<SignedEffects> effects;
    for (const LaunchEffects& each : members) {
        effects.push_back(
            {.own = comparison::detail::withoutLarge(each.own, each.present), .present = each.present});
    }
    const std::vector<double> everywhere(process.raw.size(), 1.0);
    const std::vector<double> probabilities =
        signProbabilities(effects, comparison::detail::withoutLarge(process.raw, everywhere), options.seed);
    ResamplePlans plans(options.resamples, options.seed);
    const HierarchyPlan plan = planFor(members, options);
    std::vector<TimeTest> tests;
    for (std::size_t i = 0; i < members.size(); ++i) {
        TimeTest test = Description(members[i], process, plan, kind, options).describe(plans);
        const bool isSlower = test.difference > 0;
        const double half = probabilities[i] / 2;
        test.slowerProbability = isSlower ? half : 1 - half;
        test.fasterProbability = isSlower ? 1 - half : half;
        decide(test, members[i], options);
        tests.push_back(test);
    }
    return tests;
}

}  // namespace et::inspector
