#pragma once

#include "backends/xnnpack/own/own_node.h"

#include <array>
#include <cstdint>
#include <optional>

namespace et::backends::xnnpack {

/// Whether a node adds or subtracts 8-bit values of which one has a scale so much smaller than the output's
/// that the library of this machine refuses it. Later ones compute it, as OwnSum does.
[[nodiscard]] bool isSumOfDistantScales(const Payload& payload, const PayloadNode& node);

/// Such a sum in the library's integer arithmetic: both inputs times their ratio to the output's scale, in
/// fixed point with 20 bits behind the larger ratio's first, rounded once.
class OwnSum final : public OwnNode {
  public:
    OwnSum(const Source& source, const PayloadNode& node);

    [[nodiscard]] std::string name() const override;
    void reshape(const Shapes& shapes) override;
    void run(std::span<void* const> places) override;

  private:
    /// An input with its steps, in elements, from one index of the output's dimensions to the next.
    struct Input {
        ValueIndex value = noValue;
        const void* constant = nullptr;
        std::int32_t multiplier = 0;
        std::vector<std::size_t> steps{};

        /// Where the first element of a row, counted along the output's last dimension, lies.
        [[nodiscard]] std::size_t offsetOf(std::size_t row, std::span<const std::size_t> sizes) const;
    };
    template <class T>
    void runAs(std::span<void* const> places) const;

    std::array<Input, 2> inputs;
    ValueIndex output;
    bool isSigned;
    bool isSum;
    std::int64_t bias = 0;
    std::uint32_t shift = 0;
    std::int64_t zeroPoint = 0;
    std::int64_t lowest = 0;
    std::int64_t highest = 0;
    std::vector<std::size_t> sizes;  ///< of the output
};

}  // namespace et::backends::xnnpack
