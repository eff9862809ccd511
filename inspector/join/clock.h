#pragma once

#include "inspector/join/event_blocks.h"

#include <cstdint>
#include <optional>

namespace et::inspector::join::detail {

/// Converts clock readings to durations in the target unit.
class Clock {
  public:
    explicit Clock(const JoinOptions& options)
        : perUnit(ticksPerUnit(options.source, options.target)), quirks(options.referenceQuirks) {}

    /// Time of one event. The reference scales both readings of a delegated event before subtracting them,
    /// which rounds differently; we do the same to match the last digit. Empty if the clock ran backwards and
    /// is not 32 bits wide.
    [[nodiscard]] std::optional<double> duration(std::uint64_t start, std::uint64_t end,
                                                 bool delegated) const {
        if (start <= end) {
            return delegated ? scaled(end) - scaled(start) : scaled(end - start);
        }
        return wrapped(start, end, delegated);
    }

  private:
    [[nodiscard]] double scaled(std::uint64_t ticks) const { return static_cast<double>(ticks) / perUnit; }
    [[nodiscard]] std::optional<double> wrapped(std::uint64_t start, std::uint64_t end, bool delegated) const;

    double perUnit;
    bool quirks;
};

}  // namespace et::inspector::join::detail
