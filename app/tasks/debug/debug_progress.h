#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace et::tasks {

/// Memory shared by the process that runs a model and the one that gives it commands: names the instruction
/// that runs, in case the process dies in it.
struct DebugProgress {
    std::atomic<bool> interrupt{false};  ///< set to true to end the running command
    std::atomic<bool> isRunning{false};  ///< whether an instruction is running
    std::atomic<std::uint64_t> branch{0};
    std::atomic<std::uint64_t> execution{0};
    std::atomic<std::uint64_t> step{0};
    std::atomic<std::int32_t> chain{0};
    std::atomic<std::int32_t> instruction{0};

    /// The `start` lines of the executions that the running command began; nothing if it began none, or if
    /// they are too long to be repeated.
    [[nodiscard]] std::string begun() const {
        return {line.data(), std::min<std::size_t>(lineSize, line.size())};
    }
    void setBegun(std::string_view text) {
        lineSize = 0;
        if (text.size() <= line.size()) {
            std::ranges::copy(text, line.begin());
            lineSize = text.size();
        }
    }

  private:
    std::atomic<std::size_t> lineSize{0};
    std::array<char, 1U << 20U> line{};
};

}  // namespace et::tasks
