#pragma once

#include "backends/xnnpack/custom_kernels/custom_byte_pair.h"
#include "runtime/kernels/quantized/byte_arithmetic.h"

#include <cstdint>

namespace et::backends::xnnpack {

/// Whether a node is a product of 8-bit values that CustomMultiply supports.
[[nodiscard]] bool isByteMultiply(const Payload& payload, const PayloadNode& node);

/// A product of 8-bit values, bit-exact with the library on x86, where it rounds in fp32, and faster than
/// XNNPACK 20241108 (benchmarks/nodes_benchmark.cpp). On Arm the library rounds in fixed point and computes
/// all of these nodes.
class CustomMultiply final : public CustomBytePair {
  public:
    CustomMultiply(const Source& source, const PayloadNode& node);

  private:
    void compute(std::uint8_t flips, const std::uint8_t* left, const std::uint8_t* right, std::size_t count,
                 std::uint8_t* to) const override;

    kernels::quantized::ByteProduct product;
};

}  // namespace et::backends::xnnpack
