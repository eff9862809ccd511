#pragma once

#include "backends/xnnpack/own/byte_rows.h"
#include "backends/xnnpack/own/own_node.h"

#include <array>
#include <cstdint>

namespace et::backends::xnnpack {

/// Two tensors of 8-bit values, with one scale each, that make a third one element by element.
class OwnBytePair : public OwnNode {
  public:
    OwnBytePair(const Source& source, const PayloadNode& node);

    [[nodiscard]] std::string name() const override;
    void reshape(const Shapes& shapes) override;
    void run(std::span<void* const> places) override;

  protected:
    /// What is added to zero points, as byte_arithmetic.h has it.
    [[nodiscard]] std::uint8_t flipped() const { return flip; }
    /// `count` elements that lie side by side.
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
