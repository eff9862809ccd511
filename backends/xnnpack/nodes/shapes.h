#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/dim_vector.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <vector>

namespace et::backends::xnnpack {

inline constexpr std::size_t maxValueDims = 6;  ///< the library's

/// Sizes of a value in the order of memory.
using ValueSizes = core::DimVector<std::size_t, maxValueDims>;

/// How many elements a value of these sizes has.
[[nodiscard]] std::size_t elementsOf(const ValueSizes& sizes);

/// By ValueIndex.
using Shapes = std::vector<ValueSizes>;

/// The shapes that the payload says.
[[nodiscard]] Shapes exportedShapes(const Payload& payload);

/// Follows the shapes of inputs and constants through the nodes and writes those of all other values. The
/// library trusts shapes, filters and windows of a graph and reads out of bounds where they contradict each
/// other, so nothing of it runs before this. Errors: InvalidArgument (shapes that do not fit a node),
/// Unsupported (what the library does not compute), Limit (values that together take more than
/// `memoryBytes`).
[[nodiscard]] core::Result<> followShapes(const Payload& payload, Shapes& shapes, std::uint64_t memoryBytes);

/// Whether no output has an element, so that there is nothing to compute.
[[nodiscard]] bool areOutputsEmpty(const Payload& payload, const Shapes& shapes);

}  // namespace et::backends::xnnpack
