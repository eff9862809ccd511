#pragma once

#include "runtime/program/method.h"

#include <cstdint>
#include <vector>

namespace et::backends::reference {

/// Instructions of a method that run one after the other, and the control flow among them, as the exporter
/// makes it of cond, map and while.
struct Region {
    enum class Kind : std::uint8_t { Branches, Loop };
    struct ControlFlow {
        Kind kind = Kind::Branches;
        /// Branches: what runs when the condition holds, and when not. Loop: its body; where it is left in
        /// the middle, what lies before and behind.
        std::vector<Region> parts;
    };

    std::vector<std::int32_t>
        instructions;                ///< in order, without those inside of control flow and without jumps
    std::vector<ControlFlow> inner;  ///< in order
};

/// Jumps that are none of these are left out.
[[nodiscard]] Region regionsOf(const program::Chain& chain);

}  // namespace et::backends::reference
