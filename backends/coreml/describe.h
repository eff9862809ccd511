#pragma once

#include "backends/payload_contents.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

namespace et::backends::coreml {

/// Describes a package of the Core ML backend: the operations of an ML Program with their constants and,
/// where the package has a debug_info.json, debug handles; of other models only type and files. Errors:
/// Format, Limit, NotFound (no such function).
[[nodiscard]] core::Result<core::ModelGraph> describe(core::Bytes payload,
                                                      const executor::NamedDataSource& namedData);

/// Lists the files of the package. See backends/payload_contents.h.
[[nodiscard]] core::Result<> listContents(const program::Delegate& delegate,
                                          const executor::NamedDataSource& namedData,
                                          PayloadContents& contents);

}  // namespace et::backends::coreml
