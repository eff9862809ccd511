#pragma once

#include "app/tasks/reduce/candidate.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace et::app {

/// How far a reduction is, kept beside its result for --resume.
struct ReductionState {
    std::string failure;     ///< --fails
    std::string signature;   ///< of the whole's failure
    std::size_t inputs = 0;  ///< CandidateSettings::inputs
    PartChoice part;         ///< the smallest so far
};

/// One JSON object, and back. Errors: Format (says what is missing).
[[nodiscard]] std::string stateJson(const ReductionState& state);
[[nodiscard]] core::Result<ReductionState> readState(std::string_view text);

/// Errors: Io.
[[nodiscard]] core::Result<> saveState(const ReductionState& state, const std::filesystem::path& file);

/// Errors: Io, Format (says what is missing).
[[nodiscard]] core::Result<ReductionState> loadState(const std::filesystem::path& file);

}  // namespace et::app
