#pragma once

#include "app/devices/agent_link.h"
#include "app/wire/messages.h"
#include "runtime/core/result.h"

#include <atomic>
#include <cstdint>

namespace et::devices {

/// Result of testing a target.
struct TargetTest {
    wire::DeviceDescription device;
    std::uint64_t connectNanoseconds = 0;    ///< until the agent answered, including its upload
    std::uint64_t roundTripNanoseconds = 0;  ///< shortest of several
    std::uint64_t sentBytes = 0;             ///< 0 if the agent was already there
};

/// Connects to the agent of a target and queries the device's description. Errors: those of AgentLink;
/// Unsupported (a target with commands, which has no agent).
[[nodiscard]] core::Result<TargetTest> testTarget(const Target& target, const std::atomic<bool>* cancel);

}  // namespace et::devices
