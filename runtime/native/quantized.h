#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/native/graph.h"
#include "runtime/native/read_graph.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace et::native {

/// The fixed sizes of a tensor; nothing if one is dynamic.
[[nodiscard]] std::optional<std::vector<std::int64_t>> fixedSizes(const TensorMeta& meta);

/// Number of bytes of a constant, by its dtype or quantization; nothing if its codec has no known layout.
/// Errors: Format (a dynamic size, no whole number of blocks), Limit.
[[nodiscard]] core::Result<std::optional<std::uint64_t>> storedBytes(const TensorMeta& meta);

/// Sizes of the scales and zero points of a tensor: the last dimension has its number of groups.
[[nodiscard]] std::vector<std::int64_t> groupSizes(const AffineGroups& groups,
                                                   std::vector<std::int64_t> sizes);

/// Bits of an integer.
[[nodiscard]] unsigned bitsOf(const AffineGroups& groups);

/// "4-bit in groups of 32", "4-bit in groups of 16 with zero points", "gguf:q4k"; empty if it is not
/// quantized.
[[nodiscard]] std::string quantizationText(const Quantization& quantization);

/// True if the values of a constant can be computed: of affine groups and of codecs with a public layout
/// (gguf:q4_0, q8_0, q4_k, q5_k, q6_k).
[[nodiscard]] bool canDequantize(const Quantization& quantization);

/// Values of a quantized constant as float32, row-major. Errors: Unsupported (a codec without a public
/// layout; not quantized), NotFound (scales, zero points), Format, Limit.
[[nodiscard]] core::Result<std::vector<float>> dequantize(const TensorMeta& meta, core::Bytes data,
                                                          const FindTensor& find);

/// The integers of a tensor in affine groups (stored + minimum), row-major. Errors: as dequantize().
[[nodiscard]] core::Result<std::vector<std::int32_t>> quantizedIntegers(const TensorMeta& meta,
                                                                        core::Bytes data);

/// The first elements of dense data, at most `count`; empty for other dtypes than real ones.
[[nodiscard]] std::vector<double> firstNumbers(std::int8_t scalarType, core::Bytes data, std::size_t count);

}  // namespace et::native
