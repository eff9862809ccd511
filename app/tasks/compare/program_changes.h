#pragma once

#include "app/tasks/compare/measured_program.h"
#include "inspector/program_diff/program_diff.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <span>

namespace et::app {

/// What changed from one program to the other in the method that ran. `tensorData` is what both lie without.
/// Errors: those of the files, and of diffPrograms().
[[nodiscard]] core::Result<inspector::ProgramDiff> programChanges(
    const MeasuredProgram& before, const MeasuredProgram& after,
    std::span<const std::filesystem::path> tensorData);

}  // namespace et::app
