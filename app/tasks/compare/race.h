#pragma once

#include "app/tasks/compare/lane.h"
#include "app/tasks/run/watch.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <optional>
#include <random>
#include <span>
#include <vector>

namespace et::app {

/// How long a warm-up may go on.
struct WarmUp {
    std::optional<std::size_t> rounds{};  ///< exactly so many; nothing: until the times are steady
    double seconds = 10;                  ///< then it ends, but not before `minSlowRounds`
    std::size_t minSlowRounds = 3;
};

/// How many rounds count.
struct CountedRounds {
    std::size_t rounds = 0;
    std::optional<double> seconds{};  ///< at most so long, but one round at least
};

/// One launch of each program. They take turns, in an order drawn for each round.
class Race {
  public:
    Race(std::span<Lane> starters, Watch& watching, std::mt19937_64& luck)
        : lanes(starters), watch(watching), random(luck), times(starters.size()) {}

    [[nodiscard]] core::Result<> load();
    [[nodiscard]] core::Result<> warmUp(const WarmUp& limits);
    /// Fewer where InterruptionGuard is asked to end.
    [[nodiscard]] core::Result<> measure(const CountedRounds& wanted);
    [[nodiscard]] core::Result<std::vector<LaneResult>> finish();

    /// Times of the rounds that count so far, in nanoseconds, by lane.
    [[nodiscard]] std::vector<std::span<const double>> counted() const;

    std::size_t warmup = 0;    ///< rounds
    bool steady = false;       ///< the warm-up ended because its times were
    std::size_t settling = 0;  ///< recorded rounds that do not count: tracing itself has to warm up
    std::size_t recorded = 0;  ///< rounds

  private:
    [[nodiscard]] core::Result<> round(Recording recording);
    [[nodiscard]] bool timesAreSteady() const;
    [[nodiscard]] std::vector<std::size_t> drawnOrder();
    [[nodiscard]] std::size_t settlingRounds() const;

    std::span<Lane> lanes;
    Watch& watch;
    std::mt19937_64& random;
    std::vector<std::vector<double>> times;
};

}  // namespace et::app
