#pragma once

#include <cstdint>
#include <vector>

namespace et::wire {

/// State of a device at one moment, besides the model. Fields that its system does not report keep their
/// default.
struct DeviceState {
    std::int32_t core = -1;                 ///< core that executes the run
    std::vector<std::uint32_t> kilohertz;   ///< current clock of each core; 0: unknown
    std::int32_t milliCelsius = INT32_MIN;  ///< of the hottest zone
    std::uint64_t throttled = 0;            ///< thermal throttling events since boot
    std::uint64_t availableBytes = 0;       ///< memory available to programs
    double memoryPressure = -1;  ///< share of the last 10 s in which some task waited for memory, in percent
};

}  // namespace et::wire
