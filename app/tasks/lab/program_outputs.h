#pragma once

#include "app/tasks/lab/calibration_cases.h"
#include "app/tasks/lab/closeness.h"
#include "app/tasks/lab/lower_run.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace et::app {

/// What a program gives on the cases, run here, also after an interruption. Errors: those of loading and
/// running it.
[[nodiscard]] core::Result<std::vector<CaseOutputs>> programOutputs(const LowerResult& program,
                                                                    const std::string& method,
                                                                    std::span<const CalibrationCase> cases);

/// How near a program's outputs, run here, are to those of the float graph that it was made of, on the first
/// `most` cases of a file, as readCases() takes it. Errors: those of the record and of the cases; as
/// programOutputs() and Interpreter::run().
[[nodiscard]] core::Result<Closeness> programCloseness(const etrecord::Record& record,
                                                       const std::string& method, const LowerResult& program,
                                                       const std::filesystem::path& cases, std::size_t most);

}  // namespace et::app
