#pragma once

#include "backends/xnnpack/nodes/shapes.h"
#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

namespace et::backends::xnnpack {

/// Elements of one value at most, so that sums and products of a few sizes stay below 2^63.
inline constexpr std::size_t maxElements = std::size_t{1} << 40U;

/// The axes of an image in memory.
enum Axis : std::size_t { Batch, Height, Width, Channels };

/// "[2, 3]".
[[nodiscard]] std::string text(const ValueSizes& sizes);

/// What the functions that follow shapes through one node share.
class ShapeStep {
  public:
    ShapeStep(const Payload& from, std::size_t nodeIndex, Shapes& all)
        : payload(from), node(from.nodes[nodeIndex]), index(nodeIndex), shapes(all) {}

    [[nodiscard]] [[gnu::cold]] std::unexpected<core::Error> fail(
        std::string message, core::ErrorCode code = core::ErrorCode::InvalidArgument) const;

    [[nodiscard]] const ValueSizes& input(std::size_t i) const { return shapes[node.inputs[i]]; }
    [[nodiscard]] const PayloadValue& inputValue(std::size_t i) const {
        return payload.value(node.inputs[i]);
    }

    template <class Fields>
    [[nodiscard]] const Fields& fields() const {
        return std::get<Fields>(node.fields);
    }

    /// Gives an output its shape. Errors: InvalidArgument (it has another number of dimensions).
    [[nodiscard]] core::Result<> give(const ValueSizes& sizes, std::size_t output = 0) const;

    /// Errors: InvalidArgument (input 0 is no image).
    [[nodiscard]] core::Result<> wantImage() const;
    /// Errors: InvalidArgument (input 2, if any, is no bias of so many channels).
    [[nodiscard]] core::Result<> wantBias(std::size_t channels) const;
    /// The library takes the scales of a filter, input 1, for those of its output channels. Errors:
    /// Unsupported.
    [[nodiscard]] core::Result<> wantChannelDim(std::uint32_t dim) const;

    const Payload& payload;
    const PayloadNode& node;
    std::size_t index;
    Shapes& shapes;
    std::uint64_t bookkeeping = 0;  ///< bytes beyond the values that the library keeps for the node
};

}  // namespace et::backends::xnnpack
