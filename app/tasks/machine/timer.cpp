#include "app/tasks/machine/timer.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

namespace et::app {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int looks = 200'000;

std::int64_t nanoseconds(Clock::duration time) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

}  // namespace

TimerTraits measureTimer() {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    const Clock::time_point start = Clock::now();
    Clock::time_point last = start;
    for (int i = 0; i < looks; ++i) {
        const Clock::time_point now = Clock::now();
        if (now > last) {
            least = std::min(least, nanoseconds(now - last));
        }
        last = now;
    }
    return {.resolution = static_cast<double>(least),
            .cost = static_cast<double>(nanoseconds(last - start)) / looks};
}

double measureNoise(const BurstWork& work) {
    constexpr double tryTime = 5e-4;
    std::size_t passes = 1;
    for (double took = 0; took < tryTime; passes *= 2) {
        const double start = steadySeconds();
        work(0, passes);
        took = steadySeconds() - start;
    }
    constexpr std::size_t tries = 200;
    std::vector<double> times(tries);
    for (double& each : times) {
        const double start = steadySeconds();
        work(0, passes / 2);
        each = steadySeconds() - start;
    }
    std::ranges::sort(times);
    return times[tries - tries / 10] / times.front() - 1;
}

}  // namespace et::app
