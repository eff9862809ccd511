#pragma once

#include <filesystem>
#include <optional>

namespace et::app {

/// How fast and how warm the machine is now, as the system says; nothing where it does not.
struct MachineState {
    std::optional<double> slowestClock{};  ///< MHz, of all cores
    std::optional<double> fastestClock{};
    std::optional<double> temperature{};  ///< °C, the highest of all places
};

/// `system` is where sysfs is mounted.
[[nodiscard]] MachineState machineState(const std::filesystem::path& system = "/sys");

}  // namespace et::app
