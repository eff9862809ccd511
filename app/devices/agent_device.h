#pragma once

#include "app/devices/device.h"

namespace et::devices {

/// Opens a device through its agent. Errors: those of AgentLink::open() and of the log file.
[[nodiscard]] core::Result<std::shared_ptr<Device>> openAgentDevice(const Target& target,
                                                                    const DeviceOptions& options);

}  // namespace et::devices
