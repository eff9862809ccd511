#pragma once

#include "app/tasks/reduce/candidate.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace et::tasks {

/// Progress of a reduction, stored next to its result for --resume.
struct ReductionState {
    std::string failure;     ///< --fails
    std::string signature;   ///< of the failure of the whole
    std::size_t inputs = 0;  ///< CandidateSettings::inputs
    PartChoice part;         ///< the smallest part so far
};

/// Converts the state to a JSON object, and back. Errors: Format (names the missing member).
[[nodiscard]] std::string stateJson(const ReductionState& state);
[[nodiscard]] core::Result<ReductionState> readState(std::string_view text);

/// Errors: Io.
[[nodiscard]] core::Result<> saveState(const ReductionState& state, const std::filesystem::path& file);

/// Errors: Io, Format (names the missing member).
[[nodiscard]] core::Result<ReductionState> loadState(const std::filesystem::path& file);

}  // namespace et::tasks
