#pragma once

#include "runtime/program/method.h"

#include <cstdint>
#include <map>
#include <vector>

namespace et::builder::detail {

/// The steps between which a value is needed, both included. Step -1 is before the first instruction, the
/// number of instructions after the last.
struct Lifetime {
    std::int64_t first = -1;
    std::int64_t last = -1;
    bool used = false;

    void cover(std::int64_t step);
    void cover(const Lifetime& other);
    [[nodiscard]] bool meets(const Lifetime& other) const;
};

/// Lifetimes of the values of a method with one chain. `aliases` tells whose memory a value has: both live as
/// one, and so do the two sides of a move, which hands a tensor over without copying. What lives somewhere in
/// a loop (a jump backwards) lives in all of it.
[[nodiscard]] std::vector<Lifetime> lifetimesOf(const program::Method& method, const program::Chain& chain,
                                                const std::map<std::uint32_t, std::uint32_t>& aliases);

}  // namespace et::builder::detail
