#pragma once

#include "app/wire/device_state.h"
#include "app/wire/messages.h"

#include <filesystem>
#include <string>
#include <vector>

namespace et::wire {

/// Reads the state of the device from the files that Linux and Android provide.
class DeviceGauge {
  public:
    /// `root`: folder of /proc and /sys; different in tests.
    explicit DeviceGauge(const std::filesystem::path& root = "/");

    [[nodiscard]] DeviceState read() const;
    [[nodiscard]] DeviceDescription describe() const;

  private:
    std::vector<std::string> clocks;  ///< one file per core
    std::vector<std::string> zones;
    std::vector<std::string> throttles;
    std::string memory;
    std::string pressure;
};

}  // namespace et::wire
