#pragma once

#include "app/tasks/lab/calibration_cases.h"
#include "app/tasks/lab/lower_run.h"
#include "app/tasks/lab/output_error.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace et::tasks {

/// Returns the outputs of a program on the cases, run in this process, even after an interruption. Errors:
/// those of loading and running it.
[[nodiscard]] core::Result<std::vector<CaseOutputs>> programOutputs(const LowerResult& program,
                                                                    const std::string& method,
                                                                    std::span<const CalibrationCase> cases);

/// Returns the error of a program's outputs, run in this process, relative to those of its float graph, on
/// the first `most` cases of a file (see readCases()). Errors: those of the record and of the cases; those of
/// programOutputs() and Interpreter::run().
[[nodiscard]] core::Result<OutputError> programCloseness(const etrecord::Record& record,
                                                         const std::string& method,
                                                         const LowerResult& program,
                                                         const std::filesystem::path& cases,
                                                         std::size_t most);

}  // namespace et::tasks
