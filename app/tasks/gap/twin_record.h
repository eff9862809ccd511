#pragma once

#include "app/tasks/base/program_file.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"
#include "runtime/program/program.h"

#include <memory>

// Records that link a package (.ptn) with another export of the same model, which has other operators and
// debug handles.
namespace et::tasks {

/// `twin`, an ETRecord of the same model, with maps for the program of a package. Errors: Mismatch (a method
/// that it lacks, or graphs that have too little in common), those of etrecord::replaceMaps().
[[nodiscard]] core::Result<std::shared_ptr<const etrecord::Record>> twinRecord(const etrecord::Record& twin,
                                                                               const ProgramFile& package);

/// `package`, the graphs of a package, with maps for another program of the same model. Constants are
/// recognized by their content. Errors: as above.
[[nodiscard]] core::Result<std::shared_ptr<const etrecord::Record>> twinRecord(
    const etrecord::Record& package, const program::Program& program);

}  // namespace et::tasks
