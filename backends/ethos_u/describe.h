#pragma once

#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

namespace et::backends::ethos_u {

/// Describes the documented fields of an Ethos-U payload: one node, the command stream, with inputs and
/// outputs (sizes of six dimensions, bytes per element, address in the NPU's memory) and weights as a
/// constant. Format: docs/reference/delegate_payloads.md. Errors: Format.
[[nodiscard]] core::Result<core::ModelGraph> describe(core::Bytes payload,
                                                      const executor::NamedDataSource& namedData);

}  // namespace et::backends::ethos_u
