#include "app/devices/agent_device.h"

namespace et::devices {

core::Result<std::shared_ptr<Device>> openDevice(const Target& target, const DeviceOptions& options) {
    return openAgentDevice(target, options);
}

}  // namespace et::devices
