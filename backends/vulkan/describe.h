#pragma once

#include "backends/payload_contents.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

namespace et::backends::vulkan {

/// Describes a payload of the Vulkan compiler (its WebGPU sibling uses the same format): operator calls in
/// order, with non-tensor arguments as attributes ("argument 3", "scale"); tensors with their GPU storage;
/// constants with their bytes, embedded or by name. A call's id is its name in the device's trace, not a
/// debug handle. Format: docs/reference/delegate_payloads.md. Errors: Format, Limit (more than any model
/// has).
[[nodiscard]] core::Result<core::ModelGraph> describe(core::Bytes payload,
                                                      const executor::NamedDataSource& namedData);

/// See backends/payload_contents.h.
[[nodiscard]] core::Result<> listContents(const program::Delegate& delegate,
                                          const executor::NamedDataSource& namedData,
                                          PayloadContents& contents);

}  // namespace et::backends::vulkan
