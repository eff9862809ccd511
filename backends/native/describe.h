#pragma once

#include "backends/payload_contents.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

namespace et::backends::native {

/// Describes a payload of the native backend: a graph of ATen operators, the same as in packages (.ptn).
/// Constants are named data of the program. User inputs and user outputs are the arguments of the delegate
/// call, in this order. Errors: Format, Limit, Unsupported (another version, several methods).
[[nodiscard]] core::Result<core::ModelGraph> describe(core::Bytes payload,
                                                      const executor::NamedDataSource& namedData);

/// See backends/payload_contents.h.
[[nodiscard]] core::Result<> listContents(const program::Delegate& delegate,
                                          const executor::NamedDataSource& namedData,
                                          PayloadContents& contents);

}  // namespace et::backends::native
