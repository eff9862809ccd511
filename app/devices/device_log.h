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

/// What a device did while it ran the model, over all executions.
struct DeviceSummary {
    std::uint64_t executions = 0;
    std::uint64_t kept = 0;             ///< executions whose events came back (--keep-if)
    std::set<std::int32_t> cores;       ///< that executions began on
    std::uint32_t lowestKilohertz = 0;  ///< of those cores; 0: not known
    std::uint32_t highestKilohertz = 0;
    std::int32_t firstMilliCelsius = INT32_MIN;
    std::int32_t highestMilliCelsius = INT32_MIN;
    std::uint64_t throttled = 0;            ///< how often cores were slowed down meanwhile
    std::uint64_t leastAvailableBytes = 0;  ///< 0: not known
    double highestMemoryPressure = -1;      ///< percent; -1: not known
};

/// Keeps that, and writes a line of JSON for each execution where a file is given (docs/json.md).
class DeviceLog {
  public:
    /// Appends to the file; an empty path: none. Errors: Io.
    [[nodiscard]] static core::Result<DeviceLog> open(const std::filesystem::path& file);

    struct Run {
        std::uint64_t number = 0;  ///< from 1 on
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
