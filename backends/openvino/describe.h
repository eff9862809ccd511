#pragma once

#include "backends/payload_contents.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

namespace et::backends::openvino {

/// Describes a model that OpenVINO exported. That of the CPU contains the layers as XML and the constants;
/// those of other devices are opaque: one node. Errors: Format, Limit.
[[nodiscard]] core::Result<core::ModelGraph> describe(core::Bytes payload,
                                                      const executor::NamedDataSource& namedData);

/// Lists XML and constants. See backends/payload_contents.h.
[[nodiscard]] core::Result<> listContents(const program::Delegate& delegate,
                                          const executor::NamedDataSource& namedData,
                                          PayloadContents& contents);

}  // namespace et::backends::openvino
