#include "runtime/kernels/torchao/bit_layout.h"

#include <algorithm>
#include <array>

namespace et::kernels::torchao {
namespace {

using Fields = std::span<const BitField>;

/// Every integer in one byte, the first in the highest bits.
template <std::uint8_t bits>
constexpr std::array<BitField, 8 / bits> descending = [] {
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
constexpr BitField oneBitOf64[] = {{0, 0, 3, 1}, {1, 0, 7, 1}, {2, 0, 2, 1}, {3, 0, 6, 1},
                                   {4, 0, 1, 1}, {5, 0, 5, 1}, {6, 0, 0, 1}, {7, 0, 4, 1}};
constexpr BitField threeBits[] = {{0, 0, 3, 3},    {1, 0, 0, 3},   {2, 1, 3, 3},    {3, 1, 0, 3},
                                  {4, 2, 3, 3},    {5, 2, 0, 3},   {6, 0, 6, 2, 0}, {6, 2, 7, 1, 2},
                                  {7, 1, 6, 2, 0}, {7, 2, 6, 1, 2}};
constexpr BitField fourBits[] = {{0, 0, 0, 4}, {1, 0, 4, 4}};
constexpr BitField fiveBits[] = {{0, 0, 0, 5},    {1, 0, 5, 3},    {1, 4, 0, 2, 3}, {2, 1, 0, 5},
                                 {3, 1, 5, 3},    {3, 4, 2, 2, 3}, {4, 2, 0, 5},    {5, 2, 5, 3},
                                 {5, 4, 4, 2, 3}, {6, 3, 0, 5},    {7, 3, 5, 3},    {7, 4, 6, 2, 3}};
/// 16 integers and 16 bytes are two slots and two planes here.
constexpr BitField fiveBitsOf64[] = {{0, 0, 0, 5}, {1, 1, 0, 5},    {2, 0, 5, 3}, {2, 4, 0, 2, 3},
                                     {3, 1, 5, 3}, {3, 4, 2, 2, 3}, {4, 2, 0, 5}, {5, 3, 0, 5},
                                     {6, 2, 5, 3}, {6, 4, 4, 2, 3}, {7, 3, 5, 3}, {7, 4, 6, 2, 3}};
constexpr BitField sixBits[] = {{0, 0, 0, 6},    {1, 1, 0, 6},    {2, 2, 0, 6},
                                {3, 0, 6, 2, 0}, {3, 1, 6, 2, 2}, {3, 2, 6, 2, 4}};
constexpr BitField sevenBits[] = {{0, 0, 0, 7},    {1, 1, 0, 7},    {2, 2, 0, 7},    {3, 3, 0, 7},
                                  {4, 4, 0, 7},    {5, 5, 0, 7},    {6, 6, 0, 7},    {7, 0, 7, 1, 0},
                                  {7, 1, 7, 1, 1}, {7, 2, 7, 1, 2}, {7, 3, 7, 1, 3}, {7, 4, 7, 1, 4},
                                  {7, 5, 7, 1, 5}, {7, 6, 7, 1, 6}};
constexpr BitField eightBits[] = {{0, 0, 0, 8}};

BitLayout layoutOf(std::size_t lanes, Fields fields) {
    BitLayout layout{.lanes = lanes, .slots = 0, .planes = 0, .fields = fields};
    for (const BitField& field : fields) {
        layout.slots = std::max<std::size_t>(layout.slots, field.slot + 1U);
        layout.planes = std::max<std::size_t>(layout.planes, field.plane + 1U);
    }
    return layout;
}

/// Lanes of layouts with eight slots: as many as the run has integers for, but bytes of 32 integers follow
/// the order of the integers.
std::size_t lanesOfEight(std::size_t count) {
    return count == 32 ? 1 : count / 8;
}

}  // namespace

BitLayout bitLayout(int bits, std::size_t count) {
    switch (bits) {
        case 1:
            return layoutOf(lanesOfEight(count), count == 64 ? Fields(oneBitOf64) : Fields(descending<1>));
        case 2:
            return layoutOf(count == 32 ? 8 : 16, descending<2>);
        case 3:
            return layoutOf(lanesOfEight(count), threeBits);
        case 4:
            return layoutOf(16, fourBits);
        case 5:
            return layoutOf(lanesOfEight(count), count == 64 ? Fields(fiveBitsOf64) : Fields(fiveBits));
        case 6:
            return layoutOf(count == 32 ? 8 : 16, sixBits);
        case 7:
            return layoutOf(lanesOfEight(count), sevenBits);
        default:
            return layoutOf(16, eightBits);
    }
}

}  // namespace et::kernels::torchao
