#pragma once

#include "backends/xnnpack/own/byte_rows.h"
#include "backends/xnnpack/own/own_node.h"
#include "runtime/kernels/quantized/byte_arithmetic.h"

#include <array>

namespace et::backends::xnnpack {

/// Whether a node multiplies 8-bit values as OwnMultiply can.
[[nodiscard]] bool isByteMultiply(const Payload& payload, const PayloadNode& node);

/// A product of 8-bit values, the same to the bit as the library's on x86: it rounds in fp32 there. On Arm it
/// does so in fixed point, and all is left to it.
class OwnMultiply final : public OwnNode {
  public:
    OwnMultiply(const Source& source, const PayloadNode& node);

    [[nodiscard]] std::string name() const override;
    void reshape(const Shapes& shapes) override;
    void run(std::span<void* const> places) override;

  private:
    const kernels::ThreadPool& threads;
    std::array<ValueIndex, 2> inputs;
    std::array<const void*, 2> constants{};
    ValueIndex output;
    std::uint8_t flip;
    kernels::quantized::ByteProduct product;
    ByteRows rows;
};

}  // namespace et::backends::xnnpack
