#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace et::tasks {

/// Memory shared by the process that runs a model and the one that gives it commands: names the instruction
/// that runs, in case the process dies in it.
struct DebugProgress {
    std::atomic<bool> interrupt{false};  ///< set to true to end the running command
    std::atomic<bool> isRunning{false};  ///< whether an instruction is running
    std::atomic<std::uint64_t> execution{0};
    std::atomic<std::uint64_t> step{0};
    std::atomic<std::int32_t> chain{0};
    std::atomic<std::int32_t> instruction{0};
};

}  // namespace et::tasks
