#pragma once

#include "backends/xnnpack/own/byte_rows.h"
#include "backends/xnnpack/own/own_node.h"
#include "runtime/kernels/quantized/byte_arithmetic.h"

#include <array>
#include <cstdint>

namespace et::backends::xnnpack {

/// Whether a node adds or subtracts 8-bit values of which one has a scale so much smaller than the output's
/// that the library of this machine refuses it. Later ones compute it, as OwnSum does.
[[nodiscard]] bool isSumOfDistantScales(const Payload& payload, const PayloadNode& node);

/// Whether a node adds or subtracts 8-bit values whose scales are near to one another, as OwnSum can.
[[nodiscard]] bool isByteSum(const Payload& payload, const PayloadNode& node);

/// Such a sum in the library's integer arithmetic: both inputs times their ratio to the output's scale, in
/// fixed point with 20 bits behind the larger ratio's first, rounded once.
class OwnSum final : public OwnNode {
  public:
    OwnSum(const Source& source, const PayloadNode& node);

    [[nodiscard]] std::string name() const override;
    void reshape(const Shapes& shapes) override;
    void run(std::span<void* const> places) override;

  private:
    const kernels::ThreadPool& threads;
    std::array<ValueIndex, 2> inputs;
    std::array<const void*, 2> constants{};
    ValueIndex output;
    std::uint8_t flip;
    kernels::quantized::ByteSum sum;
    ByteRows rows;
};

}  // namespace et::backends::xnnpack
