#pragma once

#include "runtime/core/result.h"
#include "runtime/core/tensor.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace et::kernels::torchao {

/// Outputs that are packed together.
inline constexpr std::size_t blockOutputs = 8;

/// The weights [outputs, depth] of a linear layer; `group` weights of an output share a scale.
struct PackedShape {
    std::int64_t outputs;
    std::int64_t depth;
    std::int64_t group;
    int bits;
};

/// The weights of blockOutputs outputs. For each group: the integers, in tiles of 16 inputs ([2, outputs,
/// 8]); then float32 scales, int32 sums and (optional) int32 zero points of the outputs. A block may start
/// with a table of 16 int8 that the integers index, and end with float32 biases.
struct PackedBlock {
    const std::uint8_t* bytes;
    std::size_t depth;
    std::size_t group;
    int bits;
    bool hasZeros;
    bool hasBias;
    bool hasTable;

    [[nodiscard]] std::size_t groups() const { return depth / group; }
    [[nodiscard]] std::size_t groupBytes() const;
    [[nodiscard]] std::size_t totalBytes() const;
};

/// Weights packed by torchao's _pack_8bit_act_Nbit_weight: a header of 16 int32 (magic number, kind, bits,
/// zero points, bias, 8, 16, 2), then blocks. Definition: torchao/csrc/cpu/torch_free_kernels/weight_packing.
class PackedWeights {
  public:
    /// The bytes must outlive it. Errors: InvalidArgument (names `name`: another header, too few bytes; a
    /// group that does not divide the depth or is not a multiple of 16), Unsupported (packed for KleidiAI).
    [[nodiscard]] static core::Result<PackedWeights> read(std::string_view name,
                                                          std::span<const std::byte> bytes,
                                                          const PackedShape& shape);
    /// The same for a tensor of bytes with one dimension.
    [[nodiscard]] static core::Result<PackedWeights> read(std::string_view name, const core::Tensor& tensor,
                                                          const PackedShape& shape);

    [[nodiscard]] std::size_t outputs() const { return count; }
    [[nodiscard]] std::size_t depth() const { return first.depth; }
    [[nodiscard]] std::size_t groups() const { return first.groups(); }
    [[nodiscard]] bool hasTable() const { return first.hasTable; }
    [[nodiscard]] std::size_t blocks() const { return (count + blockOutputs - 1) / blockOutputs; }
    [[nodiscard]] PackedBlock block(std::size_t index) const {
        PackedBlock other = first;
        other.bytes += index * first.totalBytes();
        return other;
    }

  private:
    PackedWeights(const PackedBlock& block, std::size_t outputs) : first(block), count(outputs) {}

    PackedBlock first;
    std::size_t count;
};

/// Size of the header of packed weights.
inline constexpr std::size_t packedHeaderBytes = 64;
/// Numbers in the header.
inline constexpr std::size_t packedHeaderNumbers = packedHeaderBytes / sizeof(std::int32_t);

/// Reads the header, starting with the kind. Errors: InvalidArgument (too few bytes, another magic number).
[[nodiscard]] core::Result<std::array<std::int32_t, packedHeaderNumbers - 1>> readPackedHeader(
    std::string_view name, std::span<const std::byte> bytes);

/// Returns the bytes of a row-major int8 or uint8 tensor with one dimension. Errors: InvalidArgument.
[[nodiscard]] core::Result<std::span<const std::byte>> packedBytes(std::string_view name,
                                                                   const core::Tensor& tensor);

}  // namespace et::kernels::torchao
