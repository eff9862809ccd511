#pragma once

#include "inspector/program_diff/program_diff.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace et::tasks {

/// Two programs or bundled programs whose contents are compared.
struct DiffQuery {
    std::filesystem::path before;
    std::filesystem::path after;
    std::vector<std::filesystem::path> dataBefore;  ///< weights outside
    std::vector<std::filesystem::path> dataAfter;   ///< empty: same as for `before`
    std::string method;                             ///< empty: all

    [[nodiscard]] std::vector<std::filesystem::path> inputs() const;
};

/// Errors: those of opening the files and of diffPrograms().
[[nodiscard]] core::Result<inspector::ProgramDiff> diffFiles(const DiffQuery& question);

}  // namespace et::tasks
