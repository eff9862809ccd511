#pragma once

#include "backends/xnnpack/nodes/shapes.h"
#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

namespace et::backends::xnnpack {

/// Maximum elements of a value, so that sums and products of a few sizes stay below 2^63.
inline constexpr std::size_t maxElements = std::size_t{1} << 40U;

/// Axes of an image in memory order.
enum Axis : std::size_t { Batch, Height, Width, Channels };

/// "[2, 3]".
[[nodiscard]] std::string text(const ValueSizes& sizes);

/// Shared state of the functions that propagate shapes through one node.
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

    /// Sets the shape of an output. Errors: InvalidArgument (its number of dimensions differs).
    [[nodiscard]] core::Result<> give(const ValueSizes& sizes, std::size_t output = 0) const;

    /// Errors: InvalidArgument (input 0 is not an image).
    [[nodiscard]] core::Result<> requireImage() const;
    /// Errors: InvalidArgument (input 2, if present, is not a bias of `channels` elements).
    [[nodiscard]] core::Result<> requireBias(std::size_t channels) const;
    /// Checks that the scales of the filter, input 1, belong to its output channels, as the library assumes.
    /// Errors: Unsupported.
    [[nodiscard]] core::Result<> requireChannelDim(std::uint32_t dim) const;

    const Payload& payload;
    const PayloadNode& node;
    std::size_t index;
    Shapes& shapes;
    std::uint64_t bookkeeping = 0;  ///< bytes that the library allocates for the node in addition to values
};

}  // namespace et::backends::xnnpack
