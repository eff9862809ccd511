#pragma once

#include "inspector/comparison/measurement.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace et::tasks {

/// Scheduler statistics of a process's threads; 0 if the system does not report them.
struct SchedulerCounters {
    std::uint64_t ran = 0;     ///< nanoseconds running on a processor
    std::uint64_t waited = 0;  ///< nanoseconds runnable but waiting for a processor
    std::uint64_t involuntarySwitches = 0;

    SchedulerCounters& operator+=(const SchedulerCounters& other);
    friend SchedulerCounters operator-(const SchedulerCounters& end, const SchedulerCounters& start);
};

/// Sums over all current threads of this process.
[[nodiscard]] SchedulerCounters schedulerCounters();

/// Measures other load of the machine since its construction.
class LoadWatch {
  public:
    LoadWatch();

    /// Call at the end of a launch: samples the frequencies, and adds the counters of its processes.
    void add(const std::vector<SchedulerCounters>& processes);
    [[nodiscard]] inspector::OtherLoad load() const;

  private:
    struct Ticks {
        std::uint64_t all = 0;
        std::uint64_t stolen = 0;
    };
    static Ticks ticks();
    void sampleFrequency();

    Ticks before;
    SchedulerCounters counted;
    std::optional<double> lowest;
    std::optional<double> highest;
};

}  // namespace et::tasks
