#pragma once

#include "app/devices/device_log.h"
#include "app/devices/target.h"
#include "app/wire/device_state.h"
#include "app/wire/messages.h"
#include "runtime/core/result.h"
#include "runtime/executor/elsewhere.h"

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
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
    /// What it did beside the model behind its last execution, from any thread; nothing: it does not tell, or
    /// none has ended yet.
    [[nodiscard]] virtual std::optional<wire::DeviceState> lastState() const = 0;
};

/// Connects to a target: to its agent, or by its commands. Errors: those of AgentLink::open(), of
/// the log file, NotFound (no commands).
[[nodiscard]] core::Result<std::shared_ptr<Device>> openDevice(const Target& target,
                                                               const DeviceOptions& options);

}  // namespace et::devices
