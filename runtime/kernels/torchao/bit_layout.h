#pragma once

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

/// The layout of runs of `count` (128, 64 or 32) integers of `bits` (1 to 8) bits. It may cover a part of the
/// run and is repeated.
[[nodiscard]] BitLayout bitLayout(int bits, std::size_t count);

}  // namespace et::kernels::torchao
