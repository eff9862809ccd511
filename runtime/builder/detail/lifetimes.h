#pragma once

#include "runtime/program/method.h"

#include <cstdint>
#include <map>
#include <vector>

namespace et::builder::detail {

/// Inclusive range of steps in which a value is needed. Step -1 is before the first instruction, the number
/// of instructions after the last.
struct Lifetime {
    std::int64_t first = -1;
    std::int64_t last = -1;
    bool used = false;

    void cover(std::int64_t step);
    void cover(const Lifetime& other);
    [[nodiscard]] bool meets(const Lifetime& other) const;
};

/// Computes the lifetimes of the values of a single-chain method. `aliases` maps a value to the owner of its
/// memory: both get the same lifetime, as do both operands of a move, which transfers a tensor without
/// copying. A value alive anywhere in a loop (a backward jump) is alive in all of it.
[[nodiscard]] std::vector<Lifetime> computeLifetimes(const program::Method& method,
                                                     const program::Chain& chain,
                                                     const std::map<std::uint32_t, std::uint32_t>& aliases);

}  // namespace et::builder::detail
