#pragma once

namespace et::tasks {

/// Properties of the clock used for traces, in nanoseconds.
struct TimerInfo {
    double resolution = 0;  ///< smallest difference between two readings
    double cost = 0;        ///< average time of one reading
};
[[nodiscard]] TimerInfo measureTimer();

}  // namespace et::tasks
