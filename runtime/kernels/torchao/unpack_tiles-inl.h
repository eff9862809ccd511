// Compiled once for each instruction set, like the files that include it. NOLINTBEGIN(llvm-header-guard)
#if defined(ET_UNPACK_TILES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ET_UNPACK_TILES_INL_H
#undef ET_UNPACK_TILES_INL_H
#else
#define ET_UNPACK_TILES_INL_H
#endif
// NOLINTEND(llvm-header-guard)

#include "runtime/kernels/torchao/bit_layout.h"
#include "runtime/kernels/torchao/packed_loops.h"

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <utility>

// Unpacks integers of packed weights, tile by tile.
HWY_BEFORE_NAMESPACE();
namespace et::kernels::torchao::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Integers of a tile, and of each of its halves.
constexpr std::size_t tileIntegers = 128;
constexpr std::size_t halfTile = 64;
/// Inputs that are next to each other in a tile.
constexpr std::size_t nextInputs = 8;

/// Unpacks the unsigned integers of one layout.
template <std::size_t lanes>
HWY_INLINE void unpackLayout(const BitLayout& layout, const std::uint8_t* packed, std::uint8_t* to) {
    const hn::FixedTag<std::uint8_t, lanes> d;
    for (const BitField* field = layout.fields.data(); field != layout.fields.data() + layout.fields.size();
         ++field) {
        const auto mask = hn::Set(d, static_cast<std::uint8_t>((1U << field->width) - 1));
        const auto bits =
            hn::And(hn::ShiftRightSame(hn::LoadU(d, packed + field->plane * lanes), field->shift), mask);
        std::uint8_t* const slot = to + field->slot * lanes;
        // A slot's first field has place 0.
        hn::StoreU(
            field->place == 0 ? bits : hn::Or(hn::ShiftLeftSame(bits, field->place), hn::LoadU(d, slot)), d,
            slot);
    }
}

/// Unpacks runs of `count` unsigned integers (128, 64 or 32). Returns the end of the packed bytes.
HWY_INLINE const std::uint8_t* unpackRun(const BitLayout& layout, std::size_t count,
                                         const std::uint8_t* packed, std::uint8_t* to) {
    for (std::size_t done = 0; done < count; done += layout.lanes * layout.slots) {
        switch (layout.lanes) {
            case 16:
                unpackLayout<16>(layout, packed, to + done);
                break;
            case 8:
                unpackLayout<8>(layout, packed, to + done);
                break;
            default:
                unpackLayout<1>(layout, packed, to + done);
        }
        packed += layout.lanes * layout.planes;
    }
    return packed;
}

/// Makes unsigned integers signed, in place.
HWY_INLINE void centre(int bits, std::size_t count, std::uint8_t* integers) {
    const hn::FixedTag<std::uint8_t, 16> d;
    const auto offset = hn::Set(d, static_cast<std::uint8_t>(bits == 8 ? 0 : 1U << (bits - 1)));
    for (std::size_t i = 0; i < count; i += 16) {
        hn::StoreU(hn::Sub(hn::LoadU(d, integers + i), offset), d, integers + i);
    }
}

/// The 4-bit integers of a tile, signed. The most common size gets its own loop.
HWY_INLINE void unpackTile4(const std::uint8_t* packed, std::uint8_t* to) {
    const hn::FixedTag<std::uint8_t, 16> d;
    const auto low = hn::Set(d, std::uint8_t{15});
    const auto offset = hn::Set(d, std::uint8_t{8});
    for (std::size_t i = 0; i < tileIntegers; i += 32) {
        const auto both = hn::LoadU(d, packed + i / 2);
        hn::StoreU(hn::Sub(hn::And(both, low), offset), d, to + i);
        hn::StoreU(hn::Sub(hn::ShiftRight<4>(both), offset), d, to + i + 16);
    }
}

using SlotBits = hn::Vec<hn::FixedTag<std::uint8_t, 16>>;

/// `bits`: those of the slot's earlier fields, which come one after the other.
template <BitField field>
HWY_INLINE void unpackField(const std::uint8_t* packed, std::uint8_t* to, SlotBits& bits) {
    const hn::FixedTag<std::uint8_t, 16> d;
    const auto more = hn::And(hn::ShiftRight<field.shift>(hn::LoadU(d, packed + field.plane * 16)),
                              hn::Set(d, static_cast<std::uint8_t>((1U << field.width) - 1)));
    if constexpr (field.place == 0) {
        bits = more;
    } else {
        bits = hn::Or(bits, hn::ShiftLeft<field.place>(more));
    }
    hn::StoreU(bits, d, to + field.slot * 16);
}

template <const auto& layout, std::size_t... i>
HWY_INLINE void unpackFields(const std::uint8_t* packed, std::uint8_t* to, std::index_sequence<i...>) {
    SlotBits bits = hn::Zero(hn::FixedTag<std::uint8_t, 16>());
    (unpackField<layout[i]>(packed, to, bits), ...);
}

/// The integers of a tile, signed: unpackRun() with shifts known to the compiler. `runs`: layouts per tile.
template <int bits, std::size_t runs, const auto& layout>
HWY_INLINE void unpackTile(const std::uint8_t* packed, std::uint8_t* to) {
    for (std::size_t run = 0; run < runs; ++run) {
        unpackFields<layout>(packed, to + run * tileIntegers / runs,
                             std::make_index_sequence<std::size(layout)>());
        packed += static_cast<std::size_t>(bits) * 16 / runs;
    }
    centre(bits, tileIntegers, to);
}

HWY_INLINE void unpackAnyTile(int bits, const std::uint8_t* packed, std::uint8_t* to) {
    switch (bits) {
        case 1:
            return unpackTile<1, 1, fields::descending<1>>(packed, to);
        case 2:
            return unpackTile<2, 2, fields::descending<2>>(packed, to);
        case 3:
            return unpackTile<3, 1, fields::threeBits>(packed, to);
        case 4:
            return unpackTile4(packed, to);
        case 5:
            return unpackTile<5, 1, fields::fiveBits>(packed, to);
        case 6:
            return unpackTile<6, 2, fields::sixBits>(packed, to);
        default:
            return unpackTile<7, 1, fields::sevenBits>(packed, to);
    }
}

void unpackRuns(int bits, std::size_t count, const std::uint8_t* packed, std::int8_t* to) {
    auto* const integers = reinterpret_cast<std::uint8_t*>(to);
    std::size_t done = 0;
    for (const std::size_t run : {std::size_t{128}, std::size_t{64}, std::size_t{32}}) {
        const BitLayout layout = bitLayout(bits, run);
        for (; done + run <= count; done += run) {
            packed = unpackRun(layout, run, packed, integers + done);
        }
    }
    centre(bits, count, integers);
}

/// Parameters of a group, one per output.
struct GroupNumbers {
    float scales[blockOutputs];
    std::int8_t zeros[blockOutputs];
};

HWY_INLINE GroupNumbers groupNumbers(const PackedBlock& block, const std::uint8_t* afterIntegers) {
    GroupNumbers numbers{};
    std::memcpy(numbers.scales, afterIntegers, sizeof(numbers.scales));
    if (block.hasZeros) {
        std::int32_t zeros[blockOutputs];
        std::memcpy(zeros, afterIntegers + 2 * sizeof(zeros), sizeof(zeros));
        for (std::size_t i = 0; i < blockOutputs; ++i) {
            numbers.zeros[i] = static_cast<std::int8_t>(zeros[i]);
        }
    }
    return numbers;
}

/// Calls `visit(tile, group, integers, numbers)` for each tile: 16 inputs of all outputs.
template <class Visit>
HWY_INLINE void forTiles(const PackedBlock& block, const Visit& visit) {
    const BitLayout layout = bitLayout(block.bits, tileIntegers);
    const std::uint8_t* at = block.bytes;
    hn::FixedTag<std::uint8_t, 16> d;
    auto table = hn::Zero(d);
    if (block.hasTable) {
        table = hn::LoadU(d, at);
        at += 16;
    }
    const std::size_t groupTiles = block.group / 16;
    std::size_t tile = 0;
    for (std::size_t group = 0; group < block.groups(); ++group) {
        const GroupNumbers numbers =
            groupNumbers(block, at + block.group * static_cast<std::size_t>(block.bits));
        const std::uint8_t* const next = at + block.groupBytes();
        for (std::size_t i = 0; i < groupTiles; ++i, ++tile) {
            if (block.bits == 8) {
                visit(tile, group, reinterpret_cast<const std::int8_t*>(at), numbers);
                at += tileIntegers;
                continue;
            }
            alignas(16) std::uint8_t integers[tileIntegers];
            if (block.hasTable) {
                unpackRun(layout, tileIntegers, at, integers);
                for (std::size_t j = 0; j < tileIntegers; j += 16) {
                    hn::StoreU(hn::TableLookupBytes(table, hn::LoadU(d, integers + j)), d, integers + j);
                }
            } else {
                unpackAnyTile(block.bits, at, integers);
            }
            at += static_cast<std::size_t>(block.bits) * 16;
            visit(tile, group, reinterpret_cast<const std::int8_t*>(integers), numbers);
        }
        at = next;
    }
}

void readBiases(const PackedBlock& block, float* biases) {
    if (block.hasBias) {
        constexpr std::size_t bytes = blockOutputs * sizeof(float);
        std::memcpy(biases, block.bytes + block.totalBytes() - bytes, bytes);
    }
}

void unpackToIntegers(const PackedBlock& block, UnpackedBlock<std::int16_t>& to) {
    const hn::FixedTag<std::int16_t, 8> d;
    const hn::Rebind<std::int8_t, decltype(d)> bytes;
    forTiles(block, [&](std::size_t tile, std::size_t group, const std::int8_t* integers,
                        const GroupNumbers& numbers) HWY_ATTR {
        std::int16_t* const out = to.numbers + tile * tileIntegers;
        for (std::size_t row = 0; row < tileIntegers / nextInputs; ++row) {
            const auto zero = hn::Set(d, numbers.zeros[row % blockOutputs]);
            const auto wide = hn::PromoteTo(d, hn::LoadU(bytes, integers + row * nextInputs));
            hn::StoreU(hn::Sub(wide, zero), d, out + row * nextInputs);
        }
        std::memcpy(to.scales + group * blockOutputs, numbers.scales, sizeof(numbers.scales));
    });
    readBiases(block, to.biases);
}

using Floats = hn::CappedTag<float, nextInputs>;

void unpackToFloats(const PackedBlock& block, UnpackedBlock<float>& to) {
    const Floats d;
    const hn::Rebind<std::int8_t, Floats> bytes;
    const hn::Rebind<std::int32_t, Floats> wide;
    const std::size_t lanes = hn::Lanes(d);
    forTiles(block, [&](std::size_t tile, std::size_t, const std::int8_t* integers,
                        const GroupNumbers& numbers) HWY_ATTR {
        float* const out = to.numbers + tile * tileIntegers;
        for (std::size_t row = 0; row < tileIntegers / nextInputs; ++row) {
            const auto zero = hn::Set(wide, numbers.zeros[row % blockOutputs]);
            const auto scale = hn::Set(d, numbers.scales[row % blockOutputs]);
            for (std::size_t i = row * nextInputs; i < (row + 1) * nextInputs; i += lanes) {
                const auto integer = hn::Sub(hn::PromoteTo(wide, hn::LoadU(bytes, integers + i)), zero);
                hn::StoreU(hn::Mul(hn::ConvertTo(d, integer), scale), d, out + i);
            }
        }
    });
    readBiases(block, to.biases);
}

void unpackOneOutput(const PackedBlock& block, std::size_t output, float* to) {
    forTiles(block, [&](std::size_t tile, std::size_t, const std::int8_t* integers,
                        const GroupNumbers& numbers) HWY_ATTR {
        for (std::size_t half = 0; half < 2; ++half) {
            const std::int8_t* const from = integers + half * halfTile + output * nextInputs;
            float* const out = to + (2 * tile + half) * nextInputs;
            for (std::size_t i = 0; i < nextInputs; ++i) {
                out[i] = static_cast<float>(from[i] - numbers.zeros[output]) * numbers.scales[output];
            }
        }
    });
}

}  // namespace
}  // namespace et::kernels::torchao::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // include guard
