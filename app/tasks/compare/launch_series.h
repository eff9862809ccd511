#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/compare/measured_program.h"
#include "app/tasks/compare/model_process.h"
#include "etrecord/record.h"
#include "inspector/comparison/launch_plan.h"
#include "runtime/core/result.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <vector>

namespace et::tasks {

/// Length of a warm-up.
struct WarmUp {
    std::optional<std::size_t> rounds{};  ///< exact number; nothing: until the times are steady
    double seconds = 10;                  ///< maximum, but at least `minSlowRounds` are run
    std::size_t minSlowRounds = 3;
};

/// Number of counted rounds.
struct CountedRounds {
    std::size_t rounds = 0;
    std::optional<double> seconds{};  ///< maximum, but at least one round is run
};

/// One launch of each program. In each round, they run in random order.
class Race {
  public:
    Race(std::span<ModelProcess> starters, ProgressReporter& watching, std::mt19937_64& luck)
        : lanes(starters), watch(watching), random(luck), times(starters.size()) {}

    [[nodiscard]] core::Result<> load();
    [[nodiscard]] core::Result<> warmUp(const WarmUp& limits);
    /// Ends early if InterruptionGuard requests it.
    [[nodiscard]] core::Result<> measure(const CountedRounds& wanted);
    [[nodiscard]] core::Result<std::vector<ModelProcessResult>> finish();

    /// Times of the rounds counted so far, in nanoseconds, by lane.
    [[nodiscard]] std::vector<std::span<const double>> counted() const;

    std::size_t warmup = 0;    ///< rounds
    bool steady = false;       ///< the warm-up ended because the times were steady
    std::size_t settling = 0;  ///< recorded rounds that are not counted, because tracing itself needs a
                               ///< warm-up
    std::size_t recorded = 0;  ///< rounds

  private:
    [[nodiscard]] core::Result<> round(Recording recording);
    [[nodiscard]] bool timesAreSteady() const;
    [[nodiscard]] std::vector<std::size_t> drawnOrder();
    [[nodiscard]] std::size_t settlingRounds() const;

    std::span<ModelProcess> lanes;
    ProgressReporter& watch;
    std::mt19937_64& random;
    std::vector<std::vector<double>> times;
};

/// A finished launch of a program.
struct FinishedLaunch {
    ModelProcessResult result;
    std::size_t warmup = 0;    ///< executions before the recorded ones
    std::size_t settling = 0;  ///< recorded executions that are not counted
    bool steady = false;       ///< the warm-up ended because the times were steady
};

/// Reads the results of a program's launches: the trace of each, everything else from the first.
class LaunchReader {
  public:
    /// Errors: those of opening the files.
    [[nodiscard]] static core::Result<LaunchReader> open(const ProgramToMeasure& source, std::uint64_t seed);

    /// Errors: those of the trace.
    [[nodiscard]] core::Result<> add(FinishedLaunch launch);
    /// Returns all launches combined; requires at least one.
    [[nodiscard]] MeasuredProgram take();

  private:
    LaunchReader() = default;
    [[nodiscard]] core::Result<inspector::Measurement> read(const FinishedLaunch& launch) const;
    void describe(const FinishedLaunch& launch, inspector::Measurement& measurement);

    std::string name;
    std::uint64_t seed = 0;
    std::shared_ptr<const etrecord::Record> record;
    MeasuredProgram measured;
    std::vector<inspector::Measurement> launches;
};

/// Repeated launches of the same programs: a pilot, then as many as necessary.
class LaunchSeries {
  public:
    /// `lanes`: one per program for each possible launch.
    LaunchSeries(std::span<ModelProcess> lanes, std::span<LaunchReader> readers,
                 const MeasureOptions& measure);

    /// Maximum number of launches with these options.
    [[nodiscard]] static std::size_t mostLaunches(const MeasureOptions& measure, std::size_t programs);

    /// Errors: those of the models; Cancelled (interrupted before any measurement).
    [[nodiscard]] core::Result<> run(ProgressReporter& watch, std::mt19937_64& random);

    [[nodiscard]] inspector::OtherLoad otherLoad() const { return load.load(); }
    [[nodiscard]] std::size_t launches() const { return done; }

  private:
    [[nodiscard]] bool goesOn() const;
    [[nodiscard]] double secondsPassed() const;
    [[nodiscard]] bool isAlone() const { return readers.size() == 1; }
    [[nodiscard]] CountedRounds roundsOfNext() const;
    [[nodiscard]] WarmUp warmUpOfNext() const;
    [[nodiscard]] core::Result<> launch(Race& race);

    std::span<ModelProcess> lanes;
    std::span<LaunchReader> readers;
    MeasureOptions measure;
    inspector::LaunchLimits limits;
    std::size_t most;
    LoadWatch load;
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    std::size_t done = 0;
    std::vector<inspector::LaunchRecord> records;
};

}  // namespace et::tasks
