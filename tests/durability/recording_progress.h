#pragma once

#include <atomic>
#include <cstdint>

namespace et::test {

/// Progress of recording_program, in a file shared with the test that kills it.
struct RecordingProgress {
    std::atomic<std::uint64_t> events;
    std::atomic<std::uint64_t> firstTime;  ///< end time of the first event, as in the trace
    std::atomic<std::uint64_t> lastTime;   ///< end time of the last event
};

}  // namespace et::test
