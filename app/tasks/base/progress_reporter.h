#pragma once

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/live_gauge.h"
#include "runtime/core/result.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <thread>

namespace et::tasks {

class OptionList;

enum class ProgressMode : std::uint8_t {
    Auto,  ///< a line on stderr if it is a terminal and the work takes longer than a moment
    Json,  ///< JSON lines
    None,
};

struct ProgressOptions {
    ProgressMode mode = ProgressMode::Auto;
    int descriptor = 2;  ///< file descriptor for JSON lines
};

/// Shows progress from its own thread, and ends the work at its time limit. Without anything to show or
/// limit, there is no thread.
class ProgressReporter {
  public:
    using Clock = std::chrono::steady_clock;

    /// `timeoutSeconds`: limit for all the work; `stepSeconds`: limit for one step, and for the time before
    /// the first step of any phase except loading (0: no limit).
    ProgressReporter(const ProgressOptions& options, std::optional<double> timeoutSeconds,
                     double stepSeconds = 0);
    ProgressReporter(const ProgressReporter&) = delete;
    ProgressReporter& operator=(const ProgressReporter&) = delete;
    ~ProgressReporter();

    /// Starts a new phase of the work; `name` is a literal.
    void begin(const char* name, std::size_t total);
    void step() { done.fetch_add(1, std::memory_order_relaxed); }
    /// Reports the time of a finished execution in JSON lines.
    void executed(std::uint64_t nanoseconds);
    /// Reports the state of this device in JSON lines until finish().
    void watchDevice(LiveGauge::Source device);
    /// Reports the end and clears the line.
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
    std::size_t steps = 0;  ///< steps of stepPhase that were done at the last poll
    const char* stepPhase = nullptr;
    Clock::time_point stepStart;  ///< time of the poll that first saw `steps`
    bool asked = false;           ///< to end
    std::atomic<const char*> phase = "load";
    std::atomic<std::size_t> done = 0;
    std::atomic<std::size_t> all = 1;
    std::size_t shown = 0;  ///< characters in the terminal line
    LiveGauge gauge;
    std::jthread thread;
};

/// Adds --progress and --progress-fd.
void addProgressOptions(OptionList& options, ProgressOptions& progress);

}  // namespace et::tasks
