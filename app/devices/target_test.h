#pragma once

#include "app/devices/agent_link.h"
#include "app/wire/messages.h"
#include "runtime/core/result.h"

#include <atomic>
#include <cstdint>

namespace et::devices {

/// What trying a target out has shown.
struct TargetTest {
    wire::DeviceDescription device;
    std::uint64_t connectNanoseconds = 0;    ///< until the agent answered, with bringing it there
    std::uint64_t roundTripNanoseconds = 0;  ///< the shortest of a few
    std::uint64_t sentBytes = 0;             ///< 0: the agent was there already
};

/// Connects to the agent of a target, and asks it what it runs on. Errors: those of AgentLink;
/// Unsupported (a target by commands, which has no agent).
[[nodiscard]] core::Result<TargetTest> testTarget(const Target& target, const std::atomic<bool>* cancel);

}  // namespace et::devices
