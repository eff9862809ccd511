#pragma once

#include "app/tasks/run/interruption.h"
#include "app/tasks/run/model_options.h"
#include "app/tasks/run/watch.h"
#include "inspector/format/table.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace et::app {

/// What is done to the cases of a program or bundled program. A case is added where it has inputs, expected
/// values or is to be run.
struct BundleSettings {
    std::filesystem::path file;
    ModelOptions model;                 ///< with the inputs of the new case
    std::vector<std::string> expected;  ///< its outputs, as inputs are given
    bool fromRun = false;               ///< expect what the method gives now
    std::vector<std::string> removed;   ///< "forward:0", "forward"
    std::filesystem::path casesFrom;    ///< a bundled program; empty: none
    std::filesystem::path output;       ///< empty: nothing is written
};

struct BundleResult {
    inspector::report::Table cases;  ///< as they are now, a row for each
    std::size_t count = 0;
    std::string added;                               ///< "forward:2"; empty: no case was added
    Interruption interruption = Interruption::None;  ///< with one, nothing is written
};

/// Errors: InvalidArgument (settings that do not go together, values that do not fit the method, an output
/// that would replace an input), those of the files and of the run.
[[nodiscard]] core::Result<BundleResult> editBundle(const BundleSettings& settings,
                                                    const ProgressOptions& progress);

}  // namespace et::app
