#pragma once

#include "app/devices/device_log.h"
#include "app/devices/target.h"
#include "app/wire/device_state.h"
#include "app/wire/messages.h"
#include "runtime/core/result.h"
#include "runtime/executor/remote_executor.h"

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace et::devices {

/// Options for using a device.
struct DeviceOptions {
    std::vector<std::string> backendsOff;
    wire::KeepRule keep;            ///< selects the executions that return their events
    std::filesystem::path logFile;  ///< empty: none
    const std::atomic<bool>* cancel = nullptr;
};

/// A device that models are loaded and executed on.
class Device : public executor::RemoteExecutor {
  public:
    [[nodiscard]] virtual const Target& target() const = 0;
    [[nodiscard]] virtual const DeviceSummary& summary() const = 0;
    /// The state of the device after its last execution, apart from the model; thread-safe. Nothing if the
    /// device does not report it, or no execution has ended yet.
    [[nodiscard]] virtual std::optional<wire::DeviceState> lastState() const = 0;
};

/// Connects to a target, through its agent or its commands. Errors: those of AgentLink::open() and of the log
/// file, NotFound (no commands).
[[nodiscard]] core::Result<std::shared_ptr<Device>> openDevice(const Target& target,
                                                               const DeviceOptions& options);

}  // namespace et::devices
