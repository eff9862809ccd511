#pragma once

#include <cstdint>
#include <filesystem>

// Where the programs of one build or installation find each other. The launchers of a checkout (bin/) say so
// in the environment: what runs there may be a dynamic loader, whose own folder says nothing.
namespace et::core {

enum class OwnProgram : std::uint8_t {
    Inspect,     ///< et-inspect; $ET_INSPECT_LAUNCHER
    Layout,      ///< et-layout; $ET_INSPECT_LAYOUT
    Agent,       ///< et-agent for x86-64; $ET_INSPECT_AGENT
    AgentArm64,  ///< et-agent for arm64; $ET_INSPECT_AGENT_ARM64
};

/// What to start for it: what the launcher says, or a file near the running program. Empty: there is none.
[[nodiscard]] std::filesystem::path findOwnProgram(OwnProgram program);

/// What to start for another process of the running et-inspect.
[[nodiscard]] std::filesystem::path sameProgram();

}  // namespace et::core
