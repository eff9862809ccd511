#pragma once

#include "app/tasks/lab/lower_run.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <memory>

namespace et::tasks {

/// Delegates the instructions of a program that a backend supports; a bundled program is written with its
/// cases. Existing delegates, control flow, state and all other instructions are kept; memory is planned
/// again. Nodes are named "instruction_12". With its ETRecord (`settings.programRecord`), they have modules,
/// Python lines and debug handles, and a record of the new program can be written. Errors: those of opening
/// the files; InvalidArgument (a record should be written, but none was given); NotFound (a name that matches
/// nothing), those of rewriteMethod(), inspector::replan(), ProgramDraft::write(); Io.
[[nodiscard]] core::Result<LowerResult> lowerProgram(std::shared_ptr<const core::MappedFile> file,
                                                     const LowerSettings& settings);

}  // namespace et::tasks
