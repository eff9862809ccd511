#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace et::visualizers {

/// Executions between two moments; times in nanoseconds.
struct ExecutionTimes {
    std::uint64_t executions = 0;
    double last = 0;
    double least = 0;
    double most = 0;
    double average = 0;
};

/// State of a device at one moment, as far as it reports it.
struct DeviceReading {
    std::optional<int> core;    ///< core that the model ran on
    std::vector<double> hertz;  ///< clock of each core; 0: unknown
    std::optional<double> celsius;
    std::uint64_t throttled = 0;  ///< number of thermal throttling events of cores since the device started
    std::optional<double> availableBytes;
    std::optional<double> memoryPressure;  ///< percent
};

/// One moment of a run.
struct GaugeSample {
    double seconds = 0;  ///< since the start of the run
    ExecutionTimes times;
    std::optional<DeviceReading> device;
};

/// Samples of a whole run. When there are too many, neighbours are merged, so that a run of hours still fits
/// into one plot.
class GaugeHistory {
  public:
    static constexpr std::size_t maxSamples = 1200;

    void add(GaugeSample sample);
    [[nodiscard]] const std::vector<GaugeSample>& samples() const { return kept; }
    [[nodiscard]] bool isEmpty() const { return kept.empty(); }

    /// Of all executions; `last` is that of the newest.
    [[nodiscard]] const ExecutionTimes& times() const { return all; }
    /// The latest device reading.
    [[nodiscard]] const std::optional<DeviceReading>& device() const { return newest; }
    /// Number of throttling events since the first sample.
    [[nodiscard]] std::uint64_t slowdowns() const;

  private:
    void halve();

    std::vector<GaugeSample> kept;
    std::size_t moments = 1;  ///< per sample
    std::size_t pending = 0;  ///< number of moments in the last sample
    ExecutionTimes all;
    std::optional<DeviceReading> newest;
    std::optional<std::uint64_t> throttledBefore;
};

}  // namespace et::visualizers
