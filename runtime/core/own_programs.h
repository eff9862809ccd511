#pragma once

#include <cstdint>
#include <filesystem>

// Locates the programs of one build or installation. The launchers of a checkout (bin/) pass their paths in
// the environment, because the running executable may be a dynamic loader in an unrelated folder.
namespace et::core {

enum class OwnProgram : std::uint8_t {
    Inspect,     ///< et-inspect; $ET_INSPECT_LAUNCHER
    Layout,      ///< et-layout; $ET_INSPECT_LAYOUT
    Agent,       ///< et-agent for x86-64; $ET_INSPECT_AGENT
    AgentArm64,  ///< et-agent for arm64; $ET_INSPECT_AGENT_ARM64
};

/// Path of the program, set by the launcher or found near the running executable. Empty if there is none.
[[nodiscard]] std::filesystem::path findOwnProgram(OwnProgram program);

/// Path for starting another process of the running et-inspect.
[[nodiscard]] std::filesystem::path sameProgram();

}  // namespace et::core
