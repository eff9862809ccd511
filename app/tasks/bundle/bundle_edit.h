#pragma once

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/model/model_options.h"
#include "inspector/format/table.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace et::tasks {

/// Edits of the cases of a program or bundled program. A case is added if it has inputs or expected values,
/// or is to be run.
struct BundleSettings {
    std::filesystem::path file;
    ModelOptions model;                 ///< includes the inputs of the new case
    std::vector<std::string> expected;  ///< expected outputs of the new case, in the format of inputs
    bool fromRun = false;               ///< use the current outputs of the method as expected ones
    std::vector<std::string> removed;   ///< "forward:0", "forward"
    std::filesystem::path casesFrom;    ///< a bundled program; empty: none
    std::filesystem::path output;       ///< empty: write nothing
};

struct BundleResult {
    inspector::format::Table cases;  ///< cases after the edit, one row each
    std::size_t count = 0;
    std::string added;                               ///< "forward:2"; empty: no case was added
    Interruption interruption = Interruption::None;  ///< if set, nothing was written
};

/// Errors: InvalidArgument (conflicting settings, values that do not match the method, an output that would
/// replace an input), those of the files and of the run.
[[nodiscard]] core::Result<BundleResult> editBundle(const BundleSettings& settings,
                                                    const ProgressOptions& progress);

}  // namespace et::tasks
