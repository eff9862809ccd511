#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

namespace et::backends::xnnpack {

/// What is inside of a payload, without running it: its nodes in their order, each with the debug handle of
/// its Edge node (layout operators, which lowering added, have none), fused activation and parameters as
/// attributes; its values with datatype, shape and quantization parameters; its constants with their bytes.
/// Constants that lie under a name in the program or in a tensor data file are looked up in `namedData`; one
/// that nothing has is said to be missing, and has the bytes that its shape takes.
[[nodiscard]] core::ModelGraph describe(const Payload& payload, const executor::NamedDataSource& namedData);

/// The same of the bytes that the compiler wrote. Errors: as Payload::read().
[[nodiscard]] core::Result<core::ModelGraph> describe(core::Bytes payload,
                                                      const executor::NamedDataSource& namedData);

}  // namespace et::backends::xnnpack
