#pragma once

#include "runtime/core/graph.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

#include <cstddef>
#include <string>

namespace et::backends::nested {

/// Name in the graph of describe() of the node of an instruction: "3", or "1.3" in another chain than the
/// first. Nodes of an inner delegate have the name of its call as prefix: "3.n0".
[[nodiscard]] std::string nodeName(std::size_t chain, std::size_t instruction);

/// Describes the nested program: a node per instruction, in a group of the method's name, with the contents
/// of its delegates. Values that cross the call have their argument index. Constants refer to `payload`.
/// Errors: those of program::Program::parse(); Unsupported (no single method); Limit (deep nesting, too many
/// nodes).
[[nodiscard]] core::Result<core::ModelGraph> describe(core::Bytes payload,
                                                      const executor::NamedDataSource& namedData);

}  // namespace et::backends::nested
