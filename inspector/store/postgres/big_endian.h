#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Numbers in PostgreSQL's binary format, which is big-endian.
namespace et::inspector::store {

/// Reads at most 8 bytes, sign-extended, except for a single byte, which is unsigned.
[[nodiscard]] inline std::int64_t fromBigEndian(std::string_view bytes) {
    constexpr int byteBits = 8;
    std::uint64_t bits = 0;
    for (const char byte : bytes) {
        bits = bits << byteBits | static_cast<unsigned char>(byte);
    }
    return bytes.size() == sizeof(std::int32_t) ? static_cast<std::int32_t>(bits)
                                                : static_cast<std::int64_t>(bits);
}

template <class T>
void appendBigEndian(std::string& to, T value) {
    constexpr int byteBits = 8;
    for (int shift = static_cast<int>(sizeof(T) - 1) * byteBits; shift >= 0; shift -= byteBits) {
        to += static_cast<char>(static_cast<std::uint64_t>(value) >> shift & 0xFFU);
    }
}

}  // namespace et::inspector::store
