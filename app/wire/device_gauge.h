#pragma once

#include "app/wire/device_state.h"
#include "app/wire/messages.h"

#include <filesystem>
#include <string>
#include <vector>

namespace et::wire {

/// Reads what the device does beside the model, of the files in which Linux and Android tell it.
class DeviceGauge {
  public:
    /// `root`: where /proc and /sys are; another one in tests.
    explicit DeviceGauge(const std::filesystem::path& root = "/");

    [[nodiscard]] DeviceState read() const;
    [[nodiscard]] DeviceDescription describe() const;

  private:
    std::vector<std::string> clocks;  ///< a file for each core
    std::vector<std::string> zones;
    std::vector<std::string> throttles;
    std::string memory;
    std::string pressure;
};

}  // namespace et::wire
