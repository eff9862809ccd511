#pragma once

#include "runtime/program/method.h"

#include <cstdint>
#include <vector>

namespace et::backends::reference {

/// Consecutive instructions of a method and the control flow between them, as the exporter emits it for cond,
/// map and while.
struct Region {
    enum class Kind : std::uint8_t { Branches, Loop };
    struct ControlFlow {
        Kind kind = Kind::Branches;
        /// Branches: the true and the false branch. Loop: its body; if it exits in the middle, the
        /// instructions before and after the exit.
        std::vector<Region> parts;
    };

    std::vector<std::int32_t>
        instructions;                ///< in order, without those inside control flow and without jumps
    std::vector<ControlFlow> inner;  ///< in order
};

/// Ignores other jumps.
[[nodiscard]] Region makeRegions(const program::Chain& chain);

}  // namespace et::backends::reference
