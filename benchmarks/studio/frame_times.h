#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <vector>

// Frames in time of the processor, against the 16 ms of a screen of 60 Hz.
namespace et::benchmarks {

inline constexpr double targetMilliseconds = 16;

/// Time of the thread alone: others use the machine too.
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
