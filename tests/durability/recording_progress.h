#pragma once

#include <atomic>
#include <cstdint>

namespace et::test {

/// What recording_program has recorded so far, in a file that it shares with the test that kills it.
struct RecordingProgress {
    std::atomic<std::uint64_t> events;
    std::atomic<std::uint64_t> firstTime;  ///< where the first event ended, as in the trace
    std::atomic<std::uint64_t> lastTime;   ///< the same of the last
};

}  // namespace et::test
