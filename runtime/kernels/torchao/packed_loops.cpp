#include "runtime/kernels/torchao/packed_loops.h"

#include "runtime/kernels/simd_targets.h"
#include "runtime/kernels/torchao/bit_layout.h"

#include <cstring>
#include <iterator>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/torchao/packed_loops.cpp"
// clang-format off: the order matters
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

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

using Shorts = hn::ScalableTag<std::int16_t>;
using Sums = hn::RepartitionToWide<Shorts>;
using SumFloats = hn::Rebind<float, Sums>;

/// Vectors of the products of all outputs with eight inputs.
constexpr std::size_t sumVectors = halfTile / hn::MaxLanes(Shorts());
/// Lanes per output in these vectors.
constexpr std::size_t sumLanes = 4;
/// Rows that are multiplied together: limited by the number of registers.
constexpr std::size_t integerRows = sumVectors >= 8 ? 1 : 8 / sumVectors;

/// Integers as a vector of shorts. Reads 16 bytes at a time, as they were written: processors forward no
/// stores to longer loads.
HWY_INLINE hn::Vec<Shorts> loadShorts(const std::int8_t* from) {
    const Shorts shorts;
    const hn::Rebind<std::int8_t, Shorts> bytes;
    if constexpr (hn::MaxLanes(Shorts()) > 16) {
        const hn::Half<hn::Rebind<std::int8_t, Shorts>> half;
        return hn::PromoteTo(shorts, hn::Combine(bytes, hn::LoadU(half, from + 16), hn::LoadU(half, from)));
    } else {
        return hn::PromoteTo(shorts, hn::LoadU(bytes, from));
    }
}

/// The scales of a group, one for each lane.
HWY_INLINE void spreadScales(const float* scales, hn::Vec<SumFloats>* to) {
    float spread[blockOutputs * sumLanes];
    for (std::size_t i = 0; i < blockOutputs * sumLanes; ++i) {
        spread[i] = scales[i / sumLanes];
    }
    for (std::size_t v = 0; v < sumVectors; ++v) {
        to[v] = hn::LoadU(SumFloats(), spread + v * hn::MaxLanes(SumFloats()));
    }
}

/// Adds the lanes of each output, scales the sums and adds the biases.
HWY_INLINE void storeSums(const hn::Vec<SumFloats>* totals, float scale, const float* biases,
                          std::size_t outputs, float* to) {
    float parts[blockOutputs * sumLanes];
    for (std::size_t v = 0; v < sumVectors; ++v) {
        hn::StoreU(totals[v], SumFloats(), parts + v * hn::MaxLanes(SumFloats()));
    }
    for (std::size_t output = 0; output < outputs; ++output) {
        const float* const part = parts + output * sumLanes;
        to[output] = (part[0] + part[1] + part[2] + part[3]) * scale + biases[output];
    }
}

template <std::size_t count>
HWY_INLINE void multiplyIntegerRows(const UnpackedBlock<std::int16_t>& block,
                                    const BlockOfRows<std::int16_t>& of, std::size_t first) {
    const Shorts shorts;
    const Sums sums;
    const SumFloats floats;
    hn::Vec<SumFloats> totals[count][sumVectors];
    for (std::size_t row = 0; row < count; ++row) {
        for (std::size_t v = 0; v < sumVectors; ++v) {
            totals[row][v] = hn::Zero(floats);
        }
    }
    const std::int16_t* const rows = of.rows + first * of.depth;
    const std::int16_t* weights = block.numbers;
    for (std::size_t start = 0; start < of.depth; start += of.group) {
        hn::Vec<Sums> products[count][sumVectors];
        for (std::size_t row = 0; row < count; ++row) {
            for (std::size_t v = 0; v < sumVectors; ++v) {
                products[row][v] = hn::Zero(sums);
            }
        }
        for (std::size_t k = start; k < start + of.group; k += nextInputs) {
            for (std::size_t v = 0; v < sumVectors; ++v) {
                const auto weight = hn::LoadU(shorts, weights + v * hn::MaxLanes(shorts));
                for (std::size_t row = 0; row < count; ++row) {
                    const auto input = hn::LoadDup128(shorts, rows + row * of.depth + k);
                    products[row][v] =
                        hn::Add(products[row][v], hn::WidenMulPairwiseAdd(sums, weight, input));
                }
            }
            weights += halfTile;
        }
        hn::Vec<SumFloats> scales[sumVectors];
        spreadScales(block.scales + start / of.group * blockOutputs, scales);
        for (std::size_t row = 0; row < count; ++row) {
            for (std::size_t v = 0; v < sumVectors; ++v) {
                totals[row][v] =
                    hn::MulAdd(hn::ConvertTo(floats, products[row][v]), scales[v], totals[row][v]);
            }
        }
    }
    for (std::size_t row = 0; row < count; ++row) {
        storeSums(totals[row], of.rowScales[first + row], block.biases, of.outputs,
                  of.to + (first + row) * of.stride);
    }
}

/// Zero points times the sum of the inputs of a group, in the first lane of each output.
HWY_INLINE void subtractZeros(const GroupNumbers& numbers, const std::int16_t* inputs, std::size_t count,
                              hn::Vec<Sums>* products) {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        sum += inputs[i];
    }
    std::int32_t spread[blockOutputs * sumLanes] = {};
    for (std::size_t output = 0; output < blockOutputs; ++output) {
        spread[output * sumLanes] = numbers.zeros[output] * sum;
    }
    for (std::size_t v = 0; v < sumVectors; ++v) {
        products[v] = hn::Sub(products[v], hn::LoadU(Sums(), spread + v * hn::MaxLanes(Sums())));
    }
}

void multiplyIntegerRow(const PackedBlock& block, const BlockOfRows<std::int16_t>& of) {
    const Shorts shorts;
    const Sums sums;
    const SumFloats floats;
    hn::Vec<SumFloats> totals[sumVectors];
    hn::Vec<Sums> products[sumVectors];
    for (std::size_t v = 0; v < sumVectors; ++v) {
        totals[v] = hn::Zero(floats);
        products[v] = hn::Zero(sums);
    }
    const std::size_t groupTiles = block.group / 16;
    forTiles(block, [&](std::size_t tile, std::size_t group, const std::int8_t* integers,
                        const GroupNumbers& numbers) HWY_ATTR {
        for (std::size_t half = 0; half < 2; ++half) {
            const auto input = hn::LoadDup128(shorts, of.rows + (2 * tile + half) * nextInputs);
            for (std::size_t v = 0; v < sumVectors; ++v) {
                const std::int8_t* const from = integers + half * halfTile + v * hn::MaxLanes(shorts);
                const auto weight = loadShorts(from);
                products[v] = hn::Add(products[v], hn::WidenMulPairwiseAdd(sums, weight, input));
            }
        }
        if ((tile + 1) % groupTiles != 0) {
            return;
        }
        if (block.hasZeros) {
            subtractZeros(numbers, of.rows + group * block.group, block.group, products);
        }
        hn::Vec<SumFloats> scales[sumVectors];
        spreadScales(numbers.scales, scales);
        for (std::size_t v = 0; v < sumVectors; ++v) {
            totals[v] = hn::MulAdd(hn::ConvertTo(floats, products[v]), scales[v], totals[v]);
            products[v] = hn::Zero(sums);
        }
    });
    float biases[blockOutputs] = {};
    readBiases(block, biases);
    storeSums(totals, of.rowScales[0], biases, of.outputs, of.to);
}

void multiplyIntegers(const UnpackedBlock<std::int16_t>& block, const BlockOfRows<std::int16_t>& rows) {
    std::size_t row = 0;
    for (; row + integerRows <= rows.count; row += integerRows) {
        multiplyIntegerRows<integerRows>(block, rows, row);
    }
    for (; row < rows.count; ++row) {
        multiplyIntegerRows<1>(block, rows, row);
    }
}

template <std::size_t count>
HWY_INLINE void multiplyFloatRows(const UnpackedBlock<float>& block, const BlockOfRows<float>& of,
                                  std::size_t first) {
    const Floats d;
    const std::size_t lanes = hn::Lanes(d);
    hn::Vec<Floats> sums[count][blockOutputs];
    for (std::size_t row = 0; row < count; ++row) {
        for (std::size_t output = 0; output < blockOutputs; ++output) {
            sums[row][output] = hn::Zero(d);
        }
    }
    const float* const rows = of.rows + first * of.depth;
    const float* weights = block.numbers;
    for (std::size_t k = 0; k < of.depth; k += nextInputs) {
        for (std::size_t i = 0; i < nextInputs; i += lanes) {
            hn::Vec<Floats> inputs[count];
            for (std::size_t row = 0; row < count; ++row) {
                inputs[row] = hn::LoadU(d, rows + row * of.depth + k + i);
            }
            for (std::size_t output = 0; output < blockOutputs; ++output) {
                const auto weight = hn::LoadU(d, weights + output * nextInputs + i);
                for (std::size_t row = 0; row < count; ++row) {
                    sums[row][output] = hn::MulAdd(weight, inputs[row], sums[row][output]);
                }
            }
        }
        weights += halfTile;
    }
    for (std::size_t row = 0; row < count; ++row) {
        for (std::size_t output = 0; output < of.outputs; ++output) {
            of.to[(first + row) * of.stride + output] =
                hn::ReduceSum(d, sums[row][output]) + block.biases[output];
        }
    }
}

template <bool hasZeros>
void multiplyFloatRowWith(const PackedBlock& block, const BlockOfRows<float>& of) {
    const Floats d;
    const hn::Rebind<std::int8_t, Floats> bytes;
    const hn::Rebind<std::int32_t, Floats> wide;
    const std::size_t lanes = hn::Lanes(d);
    hn::Vec<Floats> totals[blockOutputs];
    hn::Vec<Floats> sums[blockOutputs];
    for (std::size_t output = 0; output < blockOutputs; ++output) {
        totals[output] = hn::Zero(d);
        sums[output] = hn::Zero(d);
    }
    const std::size_t groupTiles = block.group / 16;
    forTiles(block, [&](std::size_t tile, std::size_t, const std::int8_t* integers,
                        const GroupNumbers& numbers) HWY_ATTR {
        for (std::size_t half = 0; half < 2; ++half) {
            for (std::size_t i = 0; i < nextInputs; i += lanes) {
                const auto input = hn::LoadU(d, of.rows + (2 * tile + half) * nextInputs + i);
                for (std::size_t output = 0; output < blockOutputs; ++output) {
                    const std::int8_t* const from = integers + half * halfTile + output * nextInputs + i;
                    auto integer = hn::PromoteTo(wide, hn::LoadU(bytes, from));
                    if constexpr (hasZeros) {
                        integer = hn::Sub(integer, hn::Set(wide, numbers.zeros[output]));
                    }
                    sums[output] = hn::MulAdd(hn::ConvertTo(d, integer), input, sums[output]);
                }
            }
        }
        if ((tile + 1) % groupTiles != 0) {
            return;
        }
        for (std::size_t output = 0; output < blockOutputs; ++output) {
            totals[output] = hn::MulAdd(sums[output], hn::Set(d, numbers.scales[output]), totals[output]);
            sums[output] = hn::Zero(d);
        }
    });
    float biases[blockOutputs] = {};
    readBiases(block, biases);
    for (std::size_t output = 0; output < of.outputs; ++output) {
        of.to[output] = hn::ReduceSum(d, totals[output]) + biases[output];
    }
}

void multiplyFloatRow(const PackedBlock& block, const BlockOfRows<float>& of) {
    if (block.hasZeros) {
        multiplyFloatRowWith<true>(block, of);
    } else {
        multiplyFloatRowWith<false>(block, of);
    }
}

void multiplyFloats(const UnpackedBlock<float>& block, const BlockOfRows<float>& rows) {
    constexpr std::size_t together = 2;
    std::size_t row = 0;
    for (; row + together <= rows.count; row += together) {
        multiplyFloatRows<together>(block, rows, row);
    }
    for (; row < rows.count; ++row) {
        multiplyFloatRows<1>(block, rows, row);
    }
}

}  // namespace
}  // namespace et::kernels::torchao::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace et::kernels::torchao {

HWY_EXPORT(unpackRuns);
HWY_EXPORT(unpackToIntegers);
HWY_EXPORT(unpackToFloats);
HWY_EXPORT(unpackOneOutput);
HWY_EXPORT(multiplyIntegers);
HWY_EXPORT(multiplyFloats);
HWY_EXPORT(multiplyIntegerRow);
HWY_EXPORT(multiplyFloatRow);

void unpackIntegers(int bits, std::size_t count, const std::uint8_t* packed, std::int8_t* to) {
    HWY_DYNAMIC_DISPATCH(unpackRuns)(bits, count, packed, to);
}

void unpackBlock(const PackedBlock& block, UnpackedBlock<std::int16_t>& to) {
    HWY_DYNAMIC_DISPATCH(unpackToIntegers)(block, to);
}

void unpackBlock(const PackedBlock& block, UnpackedBlock<float>& to) {
    HWY_DYNAMIC_DISPATCH(unpackToFloats)(block, to);
}

void unpackOutput(const PackedBlock& block, std::size_t output, float* to) {
    HWY_DYNAMIC_DISPATCH(unpackOneOutput)(block, output, to);
}

void multiplyBlock(const UnpackedBlock<std::int16_t>& block, const BlockOfRows<std::int16_t>& rows) {
    HWY_DYNAMIC_DISPATCH(multiplyIntegers)(block, rows);
}

void multiplyBlock(const UnpackedBlock<float>& block, const BlockOfRows<float>& rows) {
    HWY_DYNAMIC_DISPATCH(multiplyFloats)(block, rows);
}

void multiplyBlock(const PackedBlock& block, const BlockOfRows<std::int16_t>& row) {
    HWY_DYNAMIC_DISPATCH(multiplyIntegerRow)(block, row);
}

void multiplyBlock(const PackedBlock& block, const BlockOfRows<float>& row) {
    HWY_DYNAMIC_DISPATCH(multiplyFloatRow)(block, row);
}

}  // namespace et::kernels::torchao
#endif
