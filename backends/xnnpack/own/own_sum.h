#pragma once

#include "backends/xnnpack/own/own_byte_pair.h"
#include "runtime/kernels/quantized/byte_arithmetic.h"

#include <cstdint>

namespace et::backends::xnnpack {

/// Whether a node adds or subtracts 8-bit values of which one has a scale so much smaller than the output's
/// that the library of this machine refuses it. Later ones compute it, as OwnSum does.
[[nodiscard]] bool isSumOfDistantScales(const Payload& payload, const PayloadNode& node);

/// Whether a node adds or subtracts 8-bit values whose scales are near to one another, as OwnSum can.
[[nodiscard]] bool isByteSum(const Payload& payload, const PayloadNode& node);

/// Such a sum in the library's integer arithmetic: both inputs times their ratio to the output's scale, in
/// fixed point with 20 bits behind the larger ratio's first, rounded once.
class OwnSum final : public OwnBytePair {
  public:
    OwnSum(const Source& source, const PayloadNode& node);

  private:
    void compute(std::uint8_t flips, const std::uint8_t* left, const std::uint8_t* right, std::size_t count,
                 std::uint8_t* to) const override;

    kernels::quantized::ByteSum sum;
};

}  // namespace et::backends::xnnpack
