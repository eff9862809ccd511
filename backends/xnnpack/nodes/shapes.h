#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/dim_vector.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <vector>

namespace et::backends::xnnpack {

inline constexpr std::size_t maxValueDims = 6;  ///< the library's

/// Sizes of a value in memory order.
using ValueSizes = core::DimVector<std::size_t, maxValueDims>;

/// Number of elements of a value with these sizes.
[[nodiscard]] std::size_t elementsOf(const ValueSizes& sizes);

/// By ValueIndex.
using Shapes = std::vector<ValueSizes>;

/// The shapes stored in the payload.
[[nodiscard]] Shapes exportedShapes(const Payload& payload);

/// Propagates the shapes of inputs and constants through the nodes and sets those of all other values. The
/// library trusts the shapes, filters and windows of a graph and reads out of bounds if they are
/// inconsistent, so call this before it runs. Errors: InvalidArgument (shapes that do not match a node),
/// Unsupported (not supported by the library), Limit (values that together exceed `memoryBytes`).
[[nodiscard]] core::Result<> followShapes(const Payload& payload, Shapes& shapes, std::uint64_t memoryBytes);

/// Whether all outputs are empty, so that there is nothing to compute.
[[nodiscard]] bool areOutputsEmpty(const Payload& payload, const Shapes& shapes);

}  // namespace et::backends::xnnpack
