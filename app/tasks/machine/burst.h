#pragma once

#include <cstddef>
#include <functional>

namespace et::tasks {

/// Repeatable work: thread number `thread` runs it `passes` times.
using BurstWork = std::function<void(std::size_t thread, std::size_t passes)>;

/// The fastest of several bursts.
struct Burst {
    double secondsOfPass = 0;  ///< time in which all threads finish one pass each
    double clock = 0;          ///< GHz: the highest clock right after a burst; 0: unknown
};

/// Runs the work on `threads` threads at once for about `seconds`, in bursts of about a third of a
/// millisecond (at least one pass). Bursts are this short so that some of them are not interrupted on a busy
/// machine.
[[nodiscard]] Burst fastestBurst(const BurstWork& work, std::size_t threads, double seconds);

/// Seconds since an arbitrary moment.
[[nodiscard]] double steadySeconds();

}  // namespace et::tasks
