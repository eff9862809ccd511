#pragma once

#include "app/tasks/model/model.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::tasks {

class OptionList;

/// Settings of a debugging session, as on the command line.
struct DebugSettings {
    std::filesystem::path model;
    ModelOptions options;  ///< includes the record
    std::uint64_t budgetBytes = std::uint64_t{1} << 30U;
    std::filesystem::path recording;  ///< executions to open; empty: none
};

/// Adds all options except those of the output.
void addDebugOptions(OptionList& options, DebugSettings& settings);

/// The inputs of the next execution: `given` as --input, else those of the settings, else a bundled case,
/// else random ones. Errors: those of the files; InvalidArgument, NotFound.
[[nodiscard]] core::Result<InputSet> debugInputs(const Model& model, const program::Method& method,
                                                 const DebugSettings& settings,
                                                 const std::vector<std::string>& given);

}  // namespace et::tasks
