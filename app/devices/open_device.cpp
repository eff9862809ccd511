#include "app/devices/agent_device.h"
#include "app/devices/command_device.h"

namespace et::devices {

core::Result<std::shared_ptr<Device>> openDevice(const Target& target, const DeviceOptions& options) {
    return target.reach == Reach::Command ? openCommandDevice(target, options)
                                          : openAgentDevice(target, options);
}

}  // namespace et::devices
