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

/// A thread that saves what is recorded, and the debug buffer before it, in intervals. The thread that
/// records never waits for it, but where both reach for the debug buffer. After the first error it saves no
/// more: whoever writes the whole file at the end says what is wrong.
class TraceSaver {
  public:
    TraceSaver(const RecordedEvents& recorded, DebugBuffer& debugBuffer, const std::filesystem::path& file,
               std::chrono::milliseconds every);
    TraceSaver(const TraceSaver&) = delete;
    TraceSaver& operator=(const TraceSaver&) = delete;
    /// Stops.
    ~TraceSaver() { stop(); }

    /// Ends the thread. A save that it is at is not brought to its end.
    void stop();

    [[nodiscard]] std::uint64_t saves() const { return count; }
    /// Processor time of the thread.
    [[nodiscard]] std::uint64_t nanoseconds() const { return time; }

  private:
    void loop();
    [[nodiscard]] core::Result<> save();
    /// False: it is to stop.
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
    std::thread thread;  ///< none where the system gives none
};

}  // namespace et::etdump::detail
