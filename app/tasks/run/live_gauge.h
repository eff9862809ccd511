#pragma once

#include "app/wire/device_gauge.h"
#include "app/wire/device_state.h"
#include "runtime/core/json_writer.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>

namespace et::app {

/// What this machine does beside a model. Looking at the clock of a core wakes it, so it looks once a second.
class OwnState {
  public:
    /// Nothing: it is too early to look again.
    [[nodiscard]] std::optional<wire::DeviceState> operator()();

  private:
    std::optional<wire::DeviceGauge> gauge;  ///< once it has looked
    std::optional<std::chrono::steady_clock::time_point> looked;
};

/// What a model does while it runs: the executions since it was asked last, and the device beside them. One
/// thread executes, others ask.
class LiveGauge {
  public:
    /// Asks a device what it does; nothing: it has nothing to tell now.
    using Source = std::function<std::optional<wire::DeviceState>()>;

    /// From now on; an empty one: nothing is known of the device.
    void watchDevice(Source device);
    void executed(std::uint64_t nanoseconds);

    /// Adds "times" and "device" to the open object, where there is something new of them (docs/json.md).
    void tell(core::JsonWriter& line);

  private:
    struct Times {
        std::uint64_t count = 0;
        std::uint64_t last = 0;  ///< nanoseconds, as all of these
        std::uint64_t least = UINT64_MAX;
        std::uint64_t most = 0;
        std::uint64_t sum = 0;
    };

    [[nodiscard]] Times take();

    std::mutex timesMutex;
    Times times;
    std::mutex sourceMutex;  ///< of its own: looking at a device takes longer than an execution may wait
    Source source;
};

}  // namespace et::app
