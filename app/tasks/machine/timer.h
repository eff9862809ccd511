#pragma once

namespace et::app {

/// Of the clock that traces are measured with, in nanoseconds.
struct TimerTraits {
    double resolution = 0;  ///< the least time between two different answers
    double cost = 0;        ///< of one look, on average
};
[[nodiscard]] TimerTraits measureTimer();

}  // namespace et::app
