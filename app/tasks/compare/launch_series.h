#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/compare/launch_reading.h"
#include "app/tasks/compare/measured_program.h"
#include "app/tasks/compare/other_load.h"
#include "app/tasks/compare/race.h"
#include "inspector/comparison/launch_plan.h"
#include "runtime/core/result.h"

#include <chrono>
#include <cstddef>
#include <random>
#include <span>
#include <vector>

namespace et::tasks {

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
