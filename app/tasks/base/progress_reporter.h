#pragma once

#include "app/tasks/base/interruption.h"
#include "app/wire/device_gauge.h"
#include "app/wire/device_state.h"
#include "runtime/core/json_writer.h"
#include "runtime/core/result.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
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

/// State of this machine while a model runs. Reading a core's clock wakes the core, so it is read once a
/// second.
class OwnState {
  public:
    /// Nothing if it is too early for another reading.
    [[nodiscard]] std::optional<wire::DeviceState> operator()();

  private:
    std::optional<wire::DeviceGauge> gauge;  ///< created by the first reading
    std::optional<std::chrono::steady_clock::time_point> looked;
};

/// Live data of a running model: the executions since the last query, and the state of the device. One thread
/// executes, others query.
class LiveGauge {
  public:
    /// Queries the state of a device; nothing: no new state.
    using Source = std::function<std::optional<wire::DeviceState>()>;

    /// Sets the device to watch; an empty source: no device state.
    void watchDevice(Source device);
    void executed(std::uint64_t nanoseconds);

    /// Adds "times" and "device" to the open object if they changed (docs/reference/json.md).
    void tell(core::JsonWriter& line);

  private:
    struct Times {
        std::uint64_t count = 0;
        std::uint64_t last = 0;  ///< nanoseconds, like the members below
        std::uint64_t least = UINT64_MAX;
        std::uint64_t most = 0;
        std::uint64_t sum = 0;
    };

    [[nodiscard]] Times take();

    std::mutex timesMutex;
    Times times;
    std::mutex sourceMutex;  ///< separate, since reading a device takes longer than an execution may wait
    Source source;
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
