#pragma once

#include "backends/xnnpack/custom_kernels/byte_rows.h"
#include "backends/xnnpack/custom_kernels/custom_node.h"

#include <array>
#include <cstdint>

namespace et::backends::xnnpack {

/// Elementwise operation on two 8-bit tensors with one scale each.
class CustomBytePair : public CustomNode {
  public:
    CustomBytePair(const Source& source, const PayloadNode& node);

    [[nodiscard]] std::string name() const override;
    void reshape(const Shapes& shapes) override;
    void run(std::span<void* const> places) override;

  protected:
    /// Flip of the zero points, see byte_arithmetic.h.
    [[nodiscard]] std::uint8_t flipped() const { return flip; }
    /// Computes `count` contiguous elements.
    virtual void compute(std::uint8_t flips, const std::uint8_t* left, const std::uint8_t* right,
                         std::size_t count, std::uint8_t* to) const = 0;

  private:
    const kernels::ThreadPool& threads;
    std::array<ValueIndex, 2> inputs;
    std::array<const void*, 2> constants;
    ValueIndex output;
    std::uint8_t flip;
    ByteRows rows;
};

}  // namespace et::backends::xnnpack
