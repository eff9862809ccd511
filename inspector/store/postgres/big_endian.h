#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Numbers as they are in the binary form of PostgreSQL's values: the largest byte first.
namespace et::inspector::store {

/// Of 8 bytes at most; a number of fewer bytes keeps its sign, but one of a single byte, which has none.
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
