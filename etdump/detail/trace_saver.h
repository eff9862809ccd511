#pragma once

#include "etdump/detail/debug_buffer.h"
#include "etdump/detail/live_trace.h"
#include "etdump/detail/recorded_events.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <thread>

namespace et::etdump::detail {

/// A thread that periodically saves recorded events, and before them the debug buffer. The recording thread
/// never waits for it, except when both access the debug buffer. Stops saving after the first error; the
/// final write of the whole file reports the error.
class TraceSaver {
  public:
    TraceSaver(const RecordedEvents& recorded, DebugBuffer& debugBuffer, const std::filesystem::path& file,
               std::chrono::milliseconds every);
    TraceSaver(const TraceSaver&) = delete;
    TraceSaver& operator=(const TraceSaver&) = delete;
    /// Stops.
    ~TraceSaver() { stop(); }

    /// Ends the thread and abandons a save in progress.
    void stop();

    [[nodiscard]] std::uint64_t saves() const { return count; }
    /// CPU time of the thread.
    [[nodiscard]] std::uint64_t nanoseconds() const { return time; }

  private:
    void loop();
    [[nodiscard]] core::Result<> save();
    /// Returns false if the thread should stop.
    [[nodiscard]] bool waitUntil(std::chrono::steady_clock::time_point due);

    const RecordedEvents* events;
    DebugBuffer* buffer;
    LiveTrace trace;
    std::chrono::milliseconds interval;

    std::mutex guard;
    std::condition_variable change;
    std::atomic<bool> stopping = false;
    std::atomic<std::uint64_t> count = 0;
    std::atomic<std::uint64_t> time = 0;
    std::thread thread;  ///< not joinable if the system could not create one
};

}  // namespace et::etdump::detail
