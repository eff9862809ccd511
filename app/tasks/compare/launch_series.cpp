#include "app/tasks/compare/launch_series.h"

#include "app/tasks/base/interruption.h"

#include <algorithm>
#include <utility>

namespace et::tasks {
namespace {

using Clock = std::chrono::steady_clock;
using core::Result;

/// Default for a single program.
constexpr std::size_t usualIterations = 50;
/// Pilot launches, and their runs, which determine the number of runs in the others.
constexpr std::size_t pilotLaunches = 3;
constexpr std::size_t pilotRuns = 12;
/// Fraction of the time available to launches; the rest is for reading their results.
constexpr double shareOfTime = 0.8;
/// Fraction of the time available to the warm-up, and to the runs, of one launch.
constexpr double shareOfPhase = 1.0 / 40;

double secondsBetween(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

}  // namespace

std::size_t LaunchSeries::mostLaunches(const MeasureOptions& measure, std::size_t programs) {
    if (programs < 2) {
        return 1;
    }
    if (measure.launches) {
        return *measure.launches;
    }
    return measure.iterations ? std::min(*measure.iterations, MeasureOptions::usualLaunches)
                              : MeasureOptions::maxLaunches;
}

LaunchSeries::LaunchSeries(std::span<ModelProcess> allLanes, std::span<LaunchReader> allReaders,
                           const MeasureOptions& options)
    : lanes(allLanes),
      readers(allReaders),
      measure(options),
      limits{.seconds = options.seconds * shareOfTime,
             .threshold = options.threshold,
             .minLaunches = MeasureOptions::usualLaunches,
             .maxLaunches = MeasureOptions::maxLaunches},
      most(mostLaunches(options, allReaders.size())) {
}

double LaunchSeries::secondsPassed() const {
    return secondsBetween(start, Clock::now());
}

/// True if another launch is needed. The decision does not depend on which side is slower.
bool LaunchSeries::goesOn() const {
    if (done >= most || InterruptionGuard::requested()) {
        return false;
    }
    if (done == 0 || measure.launches || measure.iterations) {
        return true;
    }
    const double average = secondsPassed() / static_cast<double>(done);
    return secondsPassed() + average <= limits.seconds && !inspector::enoughLaunches(records, limits);
}

CountedRounds LaunchSeries::roundsOfNext() const {
    if (isAlone()) {
        return {.rounds = measure.iterations.value_or(usualIterations)};
    }
    if (measure.iterations) {
        const std::size_t more = done < *measure.iterations % most ? 1 : 0;
        return {.rounds = *measure.iterations / most + more};
    }
    const double seconds = limits.seconds * shareOfPhase;
    if (done < pilotLaunches) {
        return {.rounds = pilotRuns, .seconds = seconds};
    }
    return {.rounds = inspector::runsPerLaunch(std::span(records).first(pilotLaunches), limits)};
}

WarmUp LaunchSeries::warmUpOfNext() const {
    if (isAlone()) {
        return {.rounds = measure.warmup};
    }
    return {.rounds = measure.warmup, .seconds = limits.seconds * shareOfPhase, .minSlowRounds = 1};
}

Result<> LaunchSeries::launch(Race& race) {
    const auto begin = Clock::now();
    ET_TRY(race.load());
    ET_TRY(race.warmUp(warmUpOfNext()));
    const auto ready = Clock::now();
    ET_TRY(race.measure(roundsOfNext()));
    const auto end = Clock::now();
    if (race.recorded <= race.settling) {
        return {};
    }
    ET_ASSIGN(std::vector<ModelProcessResult> results, race.finish());
    std::vector<SchedulerCounters> counters;
    const auto times = race.counted();
    if (!isAlone()) {
        records.push_back({.a = {times[0].begin(), times[0].end()},
                           .b = {times[1].begin(), times[1].end()},
                           .startSeconds = secondsBetween(begin, ready),
                           .runSeconds = secondsBetween(ready, end)});
    }
    for (std::size_t i = 0; i < readers.size(); ++i) {
        counters.push_back(results[i].counters);
        ET_TRY(readers[i].add({.result = std::move(results[i]),
                               .warmup = race.warmup,
                               .settling = race.settling,
                               .steady = race.steady}));
    }
    load.add(counters);
    ++done;
    return {};
}

Result<> LaunchSeries::run(ProgressReporter& watch, std::mt19937_64& random) {
    while (goesOn()) {
        const std::size_t before = done;
        Race race(lanes.subspan(done * readers.size(), readers.size()), watch, random);
        ET_TRY(launch(race));
        if (done == before) {
            break;
        }
    }
    if (done == 0) {
        return core::fail(core::ErrorCode::Cancelled, "stopped before anything was measured");
    }
    return {};
}

}  // namespace et::tasks
