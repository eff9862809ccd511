#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace et::visualizers {

/// The executions between two moments, in nanoseconds.
struct ExecutionTimes {
    std::uint64_t executions = 0;
    double last = 0;
    double least = 0;
    double most = 0;
    double average = 0;
};

/// What a device did beside the model at one moment, as far as it tells.
struct DeviceReading {
    std::optional<int> core;    ///< that the model ran on
    std::vector<double> hertz;  ///< the clock of each core; 0: not known
    std::optional<double> celsius;
    std::uint64_t throttled =
        0;  ///< how often cores were slowed down for their heat, since the device started
    std::optional<double> availableBytes;
    std::optional<double> memoryPressure;  ///< percent
};

/// One moment of a run.
struct GaugeSample {
    double seconds = 0;  ///< since the start
    ExecutionTimes times;
    std::optional<DeviceReading> device;
};

/// What was told of a run while it went on, from its first moment to its last: where that becomes many
/// moments, neighbours are taken together, so that hours of it stay a picture of all of it.
class GaugeHistory {
  public:
    static constexpr std::size_t maxSamples = 1200;

    void add(GaugeSample sample);
    [[nodiscard]] const std::vector<GaugeSample>& samples() const { return kept; }
    [[nodiscard]] bool isEmpty() const { return kept.empty(); }

    /// Of all executions; `last` is that of the newest.
    [[nodiscard]] const ExecutionTimes& times() const { return all; }
    /// What the device told last.
    [[nodiscard]] const std::optional<DeviceReading>& device() const { return newest; }
    /// How often cores were slowed down since the first moment.
    [[nodiscard]] std::uint64_t slowdowns() const;

  private:
    void halve();

    std::vector<GaugeSample> kept;
    std::size_t moments = 1;  ///< in a sample
    std::size_t pending = 0;  ///< moments that the last sample has
    ExecutionTimes all;
    std::optional<DeviceReading> newest;
    std::optional<std::uint64_t> throttledBefore;
};

}  // namespace et::visualizers
