#pragma once

#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

namespace et::backends::mps {

/// What is inside of a payload of the MPS compiler: its nodes in their order with their fields as attributes,
/// its values with datatype and shape, its constants with their bytes. Nodes carry no debug handles. Format:
/// docs/formats.md. Errors: Format, Unsupported (a kind of node that is newer than this), Limit.
[[nodiscard]] core::Result<core::ModelGraph> describe(core::Bytes payload,
                                                      const executor::NamedDataSource& namedData);

}  // namespace et::backends::mps
