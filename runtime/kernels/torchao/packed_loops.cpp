#include "runtime/kernels/torchao/packed_loops.h"

#include "runtime/kernels/simd_targets.h"
#include "runtime/kernels/torchao/bit_layout.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/torchao/packed_loops.cpp"
// clang-format off: the order matters
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

// Compiled for each instruction set.
#include "runtime/kernels/torchao/unpack_tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace et::kernels::torchao::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

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
