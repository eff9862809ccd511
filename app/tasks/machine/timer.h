#pragma once

#include "app/tasks/machine/burst.h"

namespace et::app {

/// Of the clock that traces are measured with, in nanoseconds.
struct TimerTraits {
    double resolution = 0;  ///< the least time between two different answers
    double cost = 0;        ///< of one look, on average
};
[[nodiscard]] TimerTraits measureTimer();

/// How much longer than the shortest one in ten tries of the same work (about half a millisecond) take,
/// relative.
[[nodiscard]] double measureNoise(const BurstWork& work);

}  // namespace et::app
