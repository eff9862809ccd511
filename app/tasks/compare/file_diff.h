#pragma once

#include "inspector/program_diff/program_diff.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace et::app {

/// Two programs or bundled programs to compare by what they say.
struct DiffQuestion {
    std::filesystem::path before;
    std::filesystem::path after;
    std::vector<std::filesystem::path> dataBefore;  ///< weights outside
    std::vector<std::filesystem::path> dataAfter;   ///< empty: those of `before`
    std::string method;                             ///< empty: all

    [[nodiscard]] std::vector<std::filesystem::path> inputs() const;
};

/// Errors: those of the files, and of diffPrograms().
[[nodiscard]] core::Result<inspector::ProgramDiff> diffFiles(const DiffQuestion& question);

}  // namespace et::app
