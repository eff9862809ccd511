#pragma once

#include "backends/reference/interpreter.h"
#include "backends/reference/reference_value.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <memory>
#include <span>
#include <string_view>

namespace et::tasks {

/// The record with the graph of a method in which each torch.cond is replaced by the nodes of the branch that
/// it takes on these inputs, so that their values are compared, too; `record` itself if the graph has none.
/// Their names start with those of the torch.cond and the branch. Errors: as Interpreter::run().
[[nodiscard]] core::Result<std::shared_ptr<const etrecord::Record>> withTakenBranches(
    std::shared_ptr<const etrecord::Record> record, std::string_view method,
    std::span<const backends::reference::ReferenceValue> inputs,
    const backends::reference::InterpreterOptions& options);

}  // namespace et::tasks
