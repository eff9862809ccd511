#pragma once

#include "inspector/comparison/measurement.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace et::app {

/// What the scheduler did with the threads of a process; 0 where the system does not tell.
struct SchedulerCounters {
    std::uint64_t ran = 0;     ///< nanoseconds on a processor
    std::uint64_t waited = 0;  ///< nanoseconds ready to run without one
    std::uint64_t involuntarySwitches = 0;

    SchedulerCounters& operator+=(const SchedulerCounters& other);
    friend SchedulerCounters operator-(const SchedulerCounters& end, const SchedulerCounters& start);
};

/// Of all threads that this process has now.
[[nodiscard]] SchedulerCounters schedulerCounters();

/// Watches what else the machine does from its making on.
class LoadWatch {
  public:
    LoadWatch();

    /// A launch is over: looks at the frequencies, and counts what happened to its processes.
    void add(const std::vector<SchedulerCounters>& processes);
    [[nodiscard]] inspector::OtherLoad load() const;

  private:
    struct Ticks {
        std::uint64_t all = 0;
        std::uint64_t stolen = 0;
    };
    static Ticks ticks();
    void lookAtFrequency();

    Ticks before;
    SchedulerCounters counted;
    std::optional<double> lowest;
    std::optional<double> highest;
};

}  // namespace et::app
