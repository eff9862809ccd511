#pragma once

#include "app/tasks/run/interruption.h"
#include "app/tasks/run/live_gauge.h"
#include "runtime/core/result.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <thread>

namespace et::app {

enum class ProgressMode : std::uint8_t {
    Auto,  ///< a line on stderr when that is a terminal and it takes longer than a moment
    Json,  ///< lines of JSON
    None,
};

struct ProgressOptions {
    ProgressMode mode = ProgressMode::Auto;
    int descriptor = 2;  ///< where the lines of JSON go
};

/// Shows from a thread of its own how far the work is, and ends it when its time is over. Without anything to
/// show or to end, there is no thread.
class Watch {
  public:
    using Clock = std::chrono::steady_clock;

    /// `timeoutSeconds`: of all its work; `stepSeconds`: of one step, or before the first of a phase other
    /// than loading (0: no limit).
    Watch(const ProgressOptions& options, std::optional<double> timeoutSeconds, double stepSeconds = 0);
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch();

    /// A new phase of the work begins; `name` is a literal.
    void begin(const char* name, std::size_t total);
    void step() { done.fetch_add(1, std::memory_order_relaxed); }
    /// An execution has ended that took so long: lines of JSON tell it.
    void executed(std::uint64_t nanoseconds);
    /// Lines of JSON tell what this device does as well, until finish().
    void watchDevice(LiveGauge::Source device);
    /// Says that all is over and cleans the line.
    void finish();

  private:
    void watch(const std::stop_token& stop);
    [[nodiscard]] bool isStepOver(Clock::time_point now);
    void endWork(Interruption cause);
    void show();
    void showLine(std::string_view name, std::size_t did, std::size_t of, double seconds);
    void showJson(std::string_view name, std::size_t did, std::size_t of, double seconds);

    ProgressOptions options;
    bool terminal = false;
    Clock::time_point start = Clock::now();
    std::optional<Clock::time_point> end;
    double stepSeconds;
    std::size_t steps = 0;  ///< that were seen to be done, of stepPhase
    const char* stepPhase = nullptr;
    Clock::time_point stepStart;  ///< when that was first seen
    bool asked = false;           ///< to end
    std::atomic<const char*> phase = "load";
    std::atomic<std::size_t> done = 0;
    std::atomic<std::size_t> all = 1;
    std::size_t shown = 0;  ///< characters of the line on the terminal
    LiveGauge gauge;
    std::jthread thread;
};

}  // namespace et::app
