#pragma once

namespace et::app {

/// Cycles per nanosecond (GHz) of the core that runs this, just now: some microseconds of additions that wait
/// for each other, each of which takes one cycle. An interruption makes it too low, nothing too high: of
/// several take the largest. 0 where this processor's instructions are not known here.
[[nodiscard]] double coreClock();

}  // namespace et::app
