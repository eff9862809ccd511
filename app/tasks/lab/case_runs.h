#pragma once

#include "app/tasks/lab/calibration_cases.h"
#include "app/tasks/lab/output_error.h"
#include "backends/reference/interpreter.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace et::tasks {

/// Returns the outputs of a record's graph on the cases, which are distributed over `threads` interpreters
/// (0: one per processor). Errors: those of Interpreter::edge() and run().
[[nodiscard]] core::Result<std::vector<CaseOutputs>> runCases(
    const etrecord::Record& record, const std::string& method, std::span<const CalibrationCase> cases,
    const backends::reference::InterpreterOptions& options, std::size_t threads = 1);

}  // namespace et::tasks
