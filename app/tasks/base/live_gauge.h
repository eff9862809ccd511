#pragma once

#include "app/wire/device_gauge.h"
#include "app/wire/device_state.h"
#include "runtime/core/json_writer.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>

namespace et::tasks {

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

}  // namespace et::tasks
