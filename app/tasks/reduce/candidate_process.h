#pragma once

#include "app/tasks/reduce/candidate.h"
#include "runtime/core/result.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// Hidden options of `et-inspect reduce` that make it a candidate's process.
inline constexpr std::string_view candidateOption = "--candidate";
inline constexpr std::string_view candidateNodesOption = "--candidate-nodes";
inline constexpr std::string_view candidateInputsOption = "--candidate-inputs";
inline constexpr std::string_view candidateRandomOption = "--candidate-random";
inline constexpr std::string_view candidateSizesOption = "--candidate-sizes";
inline constexpr std::string_view candidateConstantsOption = "--candidate-constants";
inline constexpr std::string_view candidateFillOption = "--candidate-fill";
/// What a list of no instructions means there: all.
inline constexpr std::string_view allInstructions = "all";

/// In the candidate's process: does all of it, and reports to reportPath.
[[nodiscard]] core::Result<> serveCandidate(const CandidateSettings& settings);

/// In the process that reduces: starts that one and waits for its end. `command`: of FailureKind::Command. A
/// process that dies or does not end in time is a failure where that is looked for. Errors: Cancelled, Io.
[[nodiscard]] core::Result<CandidateReport> runCandidate(const CandidateSettings& settings,
                                                         std::string_view failure, double seconds);

/// A command with `file` for each {}, quoted for a shell.
[[nodiscard]] std::string commandFor(std::string_view command, const std::filesystem::path& file);

}  // namespace et::app
