#pragma once

#include "app/devices/agent_link.h"
#include "app/devices/device_log.h"
#include "app/wire/messages.h"
#include "runtime/executor/elsewhere.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::devices {

/// How a device is used.
struct DeviceOptions {
    std::vector<std::string> backendsOff;
    wire::KeepRule keep;            ///< which executions bring their events back
    std::filesystem::path logFile;  ///< empty: none
    const std::atomic<bool>* cancel = nullptr;
};

/// A device that models are loaded and executed on.
class Device : public executor::Elsewhere {
  public:
    [[nodiscard]] virtual const Target& target() const = 0;
    [[nodiscard]] virtual const DeviceSummary& summary() const = 0;
};

/// Connects to a target: to its agent, or by its commands. Errors: those of AgentLink::open(), of
/// the log file, NotFound (no commands).
[[nodiscard]] core::Result<std::shared_ptr<Device>> openDevice(const Target& target,
                                                               const DeviceOptions& options);

/// By its agent alone.
[[nodiscard]] core::Result<std::shared_ptr<Device>> openAgentDevice(const Target& target,
                                                                    const DeviceOptions& options);

}  // namespace et::devices
