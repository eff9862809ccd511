#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/compare/model_process.h"
#include "runtime/core/result.h"

#include <cstddef>
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

}  // namespace et::tasks
