#pragma once

#include "app/wire/device_state.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace et::devices {

/// Summary of the device's state over all executions of a model.
struct DeviceSummary {
    std::uint64_t executions = 0;
    std::uint64_t kept = 0;             ///< executions that returned their events (--keep-if)
    std::set<std::int32_t> cores;       ///< cores on which executions started
    std::uint32_t lowestKilohertz = 0;  ///< lowest frequency of those cores; 0: unknown
    std::uint32_t highestKilohertz = 0;
    std::int32_t firstMilliCelsius = INT32_MIN;
    std::int32_t highestMilliCelsius = INT32_MIN;
    std::uint64_t throttled = 0;            ///< number of times that cores were throttled
    std::uint64_t leastAvailableBytes = 0;  ///< 0: unknown
    double highestMemoryPressure = -1;      ///< percent; -1: unknown
};

/// Collects the summary, and writes one line of JSON per execution if a file is given
/// (docs/reference/json.md).
class DeviceLog {
  public:
    /// Appends to the file, if the path is not empty. Errors: Io.
    [[nodiscard]] static core::Result<DeviceLog> open(const std::filesystem::path& file);

    struct Run {
        std::uint64_t number = 0;  ///< starts at 1
        std::uint64_t nanoseconds = 0;
        bool kept = true;
        const wire::DeviceState& before;
        const wire::DeviceState& after;
    };
    /// Errors: Io.
    [[nodiscard]] core::Result<> add(const Run& run);
    [[nodiscard]] const DeviceSummary& summary() const { return seen; }

  private:
    void see(const wire::DeviceState& state, std::int32_t core);

    core::Descriptor file;
    std::string path;
    DeviceSummary seen;
    std::uint64_t throttledBefore = 0;
};

}  // namespace et::devices
