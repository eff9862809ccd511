#pragma once

#include "backends/xnnpack/own/own_byte_pair.h"
#include "runtime/kernels/quantized/byte_arithmetic.h"

#include <cstdint>

namespace et::backends::xnnpack {

/// Whether a node multiplies 8-bit values as OwnMultiply can.
[[nodiscard]] bool isByteMultiply(const Payload& payload, const PayloadNode& node);

/// A product of 8-bit values, the same to the bit as the library's on x86: it rounds in fp32 there. On Arm it
/// does so in fixed point, and all is left to it.
class OwnMultiply final : public OwnBytePair {
  public:
    OwnMultiply(const Source& source, const PayloadNode& node);

  private:
    void compute(std::uint8_t flips, const std::uint8_t* left, const std::uint8_t* right, std::size_t count,
                 std::uint8_t* to) const override;

    kernels::quantized::ByteProduct product;
};

}  // namespace et::backends::xnnpack
