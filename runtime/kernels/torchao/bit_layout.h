#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace et::kernels::torchao {

/// Bits [shift, shift + width) of a byte, which are the bits from `place` of an integer.
struct BitField {
    std::uint8_t slot;
    std::uint8_t plane;
    std::uint8_t shift;
    std::uint8_t width;
    std::uint8_t place = 0;
};

/// torchao's packing of `slots` x `lanes` unsigned integers in `planes` x `lanes` bytes. Integer slot * lanes
/// + i consists of the slot's fields, each in byte plane * lanes + i. Definition:
/// torchao/csrc/cpu/torch_free_kernels/fallback/bitpacking.
struct BitLayout {
    std::size_t lanes;
    std::size_t slots;
    std::size_t planes;
    std::span<const BitField> fields;
};

namespace fields {

/// Every integer in one byte, the first in the highest bits.
template <std::uint8_t bits>
inline constexpr std::array<BitField, 8 / bits> descending = [] {
    std::array<BitField, 8 / bits> fields{};
    for (std::uint8_t slot = 0; slot < fields.size(); ++slot) {
        fields[slot] = {.slot = slot,
                        .plane = 0,
                        .shift = static_cast<std::uint8_t>(8 - bits - slot * bits),
                        .width = bits};
    }
    return fields;
}();

/// 64 bits in 8 bytes: half a byte for the first 8 of 16 integers, the other half for the rest.
inline constexpr BitField oneBitOf64[] = {{0, 0, 3, 1}, {1, 0, 7, 1}, {2, 0, 2, 1}, {3, 0, 6, 1},
                                          {4, 0, 1, 1}, {5, 0, 5, 1}, {6, 0, 0, 1}, {7, 0, 4, 1}};
inline constexpr BitField threeBits[] = {{0, 0, 3, 3},    {1, 0, 0, 3},   {2, 1, 3, 3},    {3, 1, 0, 3},
                                         {4, 2, 3, 3},    {5, 2, 0, 3},   {6, 0, 6, 2, 0}, {6, 2, 7, 1, 2},
                                         {7, 1, 6, 2, 0}, {7, 2, 6, 1, 2}};
inline constexpr BitField fourBits[] = {{0, 0, 0, 4}, {1, 0, 4, 4}};
inline constexpr BitField fiveBits[] = {{0, 0, 0, 5},    {1, 0, 5, 3},    {1, 4, 0, 2, 3}, {2, 1, 0, 5},
                                        {3, 1, 5, 3},    {3, 4, 2, 2, 3}, {4, 2, 0, 5},    {5, 2, 5, 3},
                                        {5, 4, 4, 2, 3}, {6, 3, 0, 5},    {7, 3, 5, 3},    {7, 4, 6, 2, 3}};
/// 16 integers and 16 bytes are two slots and two planes here.
inline constexpr BitField fiveBitsOf64[] = {{0, 0, 0, 5}, {1, 1, 0, 5},    {2, 0, 5, 3}, {2, 4, 0, 2, 3},
                                            {3, 1, 5, 3}, {3, 4, 2, 2, 3}, {4, 2, 0, 5}, {5, 3, 0, 5},
                                            {6, 2, 5, 3}, {6, 4, 4, 2, 3}, {7, 3, 5, 3}, {7, 4, 6, 2, 3}};
inline constexpr BitField sixBits[] = {{0, 0, 0, 6},    {1, 1, 0, 6},    {2, 2, 0, 6},
                                       {3, 0, 6, 2, 0}, {3, 1, 6, 2, 2}, {3, 2, 6, 2, 4}};
inline constexpr BitField sevenBits[] = {{0, 0, 0, 7},    {1, 1, 0, 7},    {2, 2, 0, 7},    {3, 3, 0, 7},
                                         {4, 4, 0, 7},    {5, 5, 0, 7},    {6, 6, 0, 7},    {7, 0, 7, 1, 0},
                                         {7, 1, 7, 1, 1}, {7, 2, 7, 1, 2}, {7, 3, 7, 1, 3}, {7, 4, 7, 1, 4},
                                         {7, 5, 7, 1, 5}, {7, 6, 7, 1, 6}};
inline constexpr BitField eightBits[] = {{0, 0, 0, 8}};

}  // namespace fields

/// The layout of runs of `count` (128, 64 or 32) integers of `bits` (1 to 8) bits. It may cover a part of the
/// run and is repeated.
[[nodiscard]] BitLayout bitLayout(int bits, std::size_t count);

}  // namespace et::kernels::torchao
