#pragma once

#include "runtime/core/scalar_type.h"

#include <array>
#include <cstddef>

namespace et::tasks {

/// Each call runs in two worlds: copies of all values whose unwritten memory has different contents.
inline constexpr std::size_t worldCount = 2;

/// Contents of unwritten memory in each world. Indices made of it are out of range, and arithmetic with it
/// has different results.
[[nodiscard]] constexpr std::array<std::byte, worldCount> poisonOf(core::ScalarType type) {
    if (type == core::ScalarType::Bool) {
        return {std::byte{0}, std::byte{1}};
    }
    return {std::byte{0xa5}, std::byte{0x5a}};  // as float32, -3e-16 and 2e16
}
/// Contents of temporary memory, and of the pages around values.
inline constexpr std::array<std::byte, worldCount> plainPoison{std::byte{0xa7}, std::byte{0x6b}};
/// Another content, to find out which memory a result depends on.
inline constexpr std::byte probePoison{0x33};

}  // namespace et::tasks
