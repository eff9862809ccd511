#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <vector>

// Frame times in CPU time, compared with the 16 ms of a 60 Hz screen.
namespace et::benchmarks {

inline constexpr double targetMilliseconds = 16;

/// CPU time of this thread, independent of the machine's other load.
inline double processorMilliseconds() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

inline double percentile(std::vector<double> values, double part) {
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

inline void reportFrames(benchmark::State& state, const std::vector<double>& frames) {
    state.counters["cpu_p50_ms"] = percentile(frames, 0.5);
    state.counters["cpu_p95_ms"] = percentile(frames, 0.95);
    state.counters["p95_of_target"] = percentile(frames, 0.95) / targetMilliseconds;
}

}  // namespace et::benchmarks
