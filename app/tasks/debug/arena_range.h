#pragma once

#include <cstddef>
#include <cstdint>

namespace et::tasks {

/// Bytes of a planned arena, from `begin` up to but excluding `end`.
struct ArenaRange {
    std::size_t arena = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    friend bool operator==(const ArenaRange&, const ArenaRange&) = default;
};

[[nodiscard]] constexpr bool overlap(const ArenaRange& a, const ArenaRange& b) {
    return a.arena == b.arena && a.begin < b.end && b.begin < a.end;
}

}  // namespace et::tasks
