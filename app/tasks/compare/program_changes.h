#pragma once

#include "app/tasks/compare/measured_program.h"
#include "inspector/program_diff/program_diff.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <span>

namespace et::tasks {

/// Returns the changes between the programs in the method that ran. `tensorData`: external weights of both.
/// Errors: those of opening the files and of diffPrograms().
[[nodiscard]] core::Result<inspector::ProgramDiff> programChanges(
    const MeasuredProgram& before, const MeasuredProgram& after,
    std::span<const std::filesystem::path> tensorData);

}  // namespace et::tasks
