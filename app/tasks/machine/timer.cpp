#include "app/tasks/machine/timer.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

namespace et::tasks {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int looks = 10'000;

std::int64_t nanoseconds(Clock::duration time) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

}  // namespace

TimerInfo measureTimer() {
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

}  // namespace et::tasks
