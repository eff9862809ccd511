#pragma once

#include <cstddef>
#include <functional>

namespace et::app {

/// Work that can be done again and again: `passes` times, by the thread of that number.
using BurstWork = std::function<void(std::size_t thread, std::size_t passes)>;

/// The fastest of some bursts.
struct Burst {
    double secondsOfPass = 0;  ///< that all threads took for one pass each
    double clock = 0;          ///< GHz: the highest right behind a burst; 0: not known
};

/// Does it on `threads` threads at once, for about `seconds` in bursts of about a third of a millisecond (one
/// pass at least): short enough that some bursts are not interrupted, on a machine that has other things to
/// do as well.
[[nodiscard]] Burst fastestBurst(const BurstWork& work, std::size_t threads, double seconds);

/// Seconds since some moment.
[[nodiscard]] double steadySeconds();

}  // namespace et::app
