#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace et::tasks {

/// A moment of a recording: the state before an instruction, or before a node of a delegate call.
struct TimelinePoint {
    std::size_t execution = 0;  ///< index in the recording
    /// Number of instructions that this execution has run: the index of the next instruction unless loops
    /// repeat instructions. The number of all at the end of the execution.
    std::uint64_t step = 0;
    /// Inside the delegate call `step`: number of its nodes that have run.
    std::optional<std::size_t> node{};

    friend auto operator<=>(const TimelinePoint&, const TimelinePoint&) = default;
};

}  // namespace et::tasks
