#pragma once

#include <cstdint>
#include <limits>

namespace et::backends {

/// Bytes of a dense tensor with elements of `bits` each; 0 on overflow or if a size is negative.
template <class Sizes>
[[nodiscard]] std::uint64_t denseBytes(std::uint64_t bits, const Sizes& sizes) {
    constexpr std::uint64_t max = std::numeric_limits<std::int64_t>::max() / 2;
    for (const auto size : sizes) {
        if (size < 0) {
            return 0;
        }
        const auto times = static_cast<std::uint64_t>(size);
        if (times != 0 && bits > max / times) {
            return 0;
        }
        bits *= times;
    }
    return (bits + 7) / 8;
}

}  // namespace et::backends
