#pragma once

#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

namespace et::backends::vulkan {

/// What is inside of a payload of the Vulkan compiler (its WebGPU sibling writes the same): calls of
/// operators in their order, with arguments that are no tensors as attributes ("argument 3", "scale");
/// tensors with where the GPU keeps them; constants with their bytes, inside or by name. A call's id is what
/// the device's trace names it by; it is no debug handle. Format: docs/formats.md. Errors: Format, Limit
/// (more than any model has).
[[nodiscard]] core::Result<core::ModelGraph> describe(core::Bytes payload,
                                                      const executor::NamedDataSource& namedData);

}  // namespace et::backends::vulkan
