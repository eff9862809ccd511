#pragma once

#include <cstddef>
#include <functional>

namespace et::app {

/// Work that can be done again and again: `passes` times, by the thread of that number.
using BurstWork = std::function<void(std::size_t thread, std::size_t passes)>;

/// Does it on `threads` threads at once, for about `seconds` in bursts of about a third of a millisecond (one
/// pass at least), and returns the shortest seconds that a pass took all of them: short enough that some
/// bursts are not interrupted, on a machine that has other things to do as well.
[[nodiscard]] double shortestPass(const BurstWork& work, std::size_t threads, double seconds);

/// Seconds since some moment.
[[nodiscard]] double steadySeconds();

}  // namespace et::app
