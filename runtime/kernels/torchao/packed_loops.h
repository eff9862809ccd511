#pragma once

#include "runtime/kernels/torchao/packed_weights.h"

#include <cstddef>
#include <cstdint>

// Inner loops over torchao's packed integers, dispatched by CPU.
namespace et::kernels::torchao {

/// Unpacks `count` integers, a multiple of 32, of `bits` bits in runs of 128, 64 and 32: -2^(bits - 1) to
/// 2^(bits - 1) - 1.
void unpackIntegers(int bits, std::size_t count, const std::uint8_t* packed, std::int8_t* to);

/// A block of weights, unpacked for products: numbers [depth / 8, blockOutputs, 8].
template <class Number>
struct UnpackedBlock {
    Number* numbers;  ///< depth * blockOutputs
    float* scales;    ///< [groups, blockOutputs]; null if the numbers are scaled
    float biases[blockOutputs] = {};
};

/// Integers minus zero points, and scales.
void unpackBlock(const PackedBlock& block, UnpackedBlock<std::int16_t>& to);
/// Scaled weights.
void unpackBlock(const PackedBlock& block, UnpackedBlock<float>& to);
/// The scaled weights of one output.
void unpackOutput(const PackedBlock& block, std::size_t output, float* to);

/// Product of rows with a block.
template <class Number>
struct BlockOfRows {
    const Number* rows;      ///< [count, depth], contiguous
    const float* rowScales;  ///< [count]; null: 1
    std::size_t count;
    std::size_t depth;
    std::size_t group;
    float* to;            ///< the block's first output of the first row
    std::size_t stride;   ///< from one row of results to the next
    std::size_t outputs;  ///< that exist: at most blockOutputs
};

void multiplyBlock(const UnpackedBlock<std::int16_t>& block, const BlockOfRows<std::int16_t>& rows);
void multiplyBlock(const UnpackedBlock<float>& block, const BlockOfRows<float>& rows);

/// The same for a single row, without unpacking the block to memory.
void multiplyBlock(const PackedBlock& block, const BlockOfRows<std::int16_t>& row);
void multiplyBlock(const PackedBlock& block, const BlockOfRows<float>& row);

}  // namespace et::kernels::torchao
