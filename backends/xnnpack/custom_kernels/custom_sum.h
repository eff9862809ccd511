#pragma once

#include "backends/xnnpack/custom_kernels/custom_byte_pair.h"
#include "runtime/kernels/quantized/byte_arithmetic.h"

#include <cstdint>

namespace et::backends::xnnpack {

/// Whether a node adds or subtracts 8-bit values with similar scales, as CustomSum supports.
[[nodiscard]] bool isByteSum(const Payload& payload, const PayloadNode& node);

/// Such a sum in the library's integer arithmetic: both inputs times the ratio of their scale to the
/// output's, in fixed point with 20 bits after the larger ratio's first bit, rounded once. Faster than
/// XNNPACK 20241108 (benchmarks/nodes_benchmark.cpp).
class CustomSum final : public CustomBytePair {
  public:
    CustomSum(const Source& source, const PayloadNode& node);

  private:
    void compute(std::uint8_t flips, const std::uint8_t* left, const std::uint8_t* right, std::size_t count,
                 std::uint8_t* to) const override;

    kernels::quantized::ByteSum sum;
};

}  // namespace et::backends::xnnpack
