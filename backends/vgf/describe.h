#pragma once

#include "backends/payload_contents.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

namespace et::backends::vgf {

/// Describes a VGF file: its resources as values with constants' bytes, the TOSA operators of graphs in
/// SPIR-V as nodes in groups, and compute shaders as one node each. A graph that several segments run, or
/// that cannot be read, is one node. Format: docs/reference/delegate_payloads.md. Errors: those of
/// readContainer().
[[nodiscard]] core::Result<core::ModelGraph> describe(core::Bytes payload,
                                                      const executor::NamedDataSource& namedData);

/// See backends/payload_contents.h. The parts are the sections and the code of modules.
[[nodiscard]] core::Result<> listContents(const program::Delegate& delegate,
                                          const executor::NamedDataSource& namedData,
                                          PayloadContents& contents);

}  // namespace et::backends::vgf
