#pragma once

#include "app/tasks/lab/lower_run.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <memory>

namespace et::app {

/// Gives a backend what it takes of the instructions of a program, alone or in a bundled program (which is
/// written with its cases then). Delegates that it has, control flow, state and all other instructions stay;
/// memory is planned anew. Nodes are called "instruction_12". With its ETRecord (`settings.programRecord`)
/// they have modules, Python lines and handles, and a record of the new program can be written. Errors: those
/// of the files; InvalidArgument (a record to write without one); NotFound (a name that stands for nothing),
/// as rewriteMethod(), inspector::replan(), ProgramDraft::write(); Io.
[[nodiscard]] core::Result<LowerResult> lowerProgram(std::shared_ptr<const core::MappedFile> file,
                                                     const LowerSettings& settings);

}  // namespace et::app
