#pragma once

#include "backends/payload_contents.h"
#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

namespace et::backends::xnnpack {

/// Describes a payload without running it: its nodes in order, each with the debug handle of its Edge node
/// (layout operators added by lowering have none), fused activation and parameters as attributes; its values
/// with datatype, shape and quantization parameters; its constants with their bytes. Constants stored by name
/// in the program or a tensor data file are looked up in `namedData`; a constant without data is marked as
/// missing, with the byte size of its shape.
[[nodiscard]] core::ModelGraph describe(const Payload& payload, const executor::NamedDataSource& namedData);

/// The same for a serialized payload. Errors: those of readPayload().
[[nodiscard]] core::Result<core::ModelGraph> describe(core::Bytes payload,
                                                      const executor::NamedDataSource& namedData);

/// See backends/payload_contents.h.
[[nodiscard]] core::Result<> listContents(const program::Delegate& delegate,
                                          const executor::NamedDataSource& namedData,
                                          PayloadContents& contents);

}  // namespace et::backends::xnnpack
