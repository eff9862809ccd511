#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace et::core {

/// The `width` bits (at most 32) from bit `at` on, low bits first. They must be inside the bytes.
[[nodiscard]] inline std::uint32_t bitsAt(const std::byte* bytes, std::uint64_t at, unsigned width) {
    constexpr unsigned bitsPerByte = 8;
    std::uint32_t value = 0;
    for (unsigned done = 0; done < width;) {
        const auto within = static_cast<unsigned>((at + done) % bitsPerByte);
        const auto byte = std::to_integer<std::uint32_t>(bytes[(at + done) / bitsPerByte]);
        const unsigned taken = std::min(width - done, bitsPerByte - within);
        value |= ((byte >> within) & ((1U << taken) - 1U)) << done;
        done += taken;
    }
    return value;
}

}  // namespace et::core
