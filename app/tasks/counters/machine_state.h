#pragma once

#include <filesystem>
#include <optional>

namespace et::tasks {

/// Current clock rates and temperature of the machine; nothing if the system does not report them.
struct MachineState {
    std::optional<double> slowestClock{};  ///< MHz, over all cores
    std::optional<double> fastestClock{};
    std::optional<double> temperature{};  ///< °C, maximum of all sensors
};

/// `system`: mount point of sysfs.
[[nodiscard]] MachineState machineState(const std::filesystem::path& system = "/sys");

}  // namespace et::tasks
