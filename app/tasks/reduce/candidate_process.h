#pragma once

#include "app/tasks/reduce/candidate.h"
#include "runtime/core/result.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// Hidden options of `et-inspect reduce` that make it a candidate's process.
inline constexpr std::string_view candidateOption = "--candidate";
inline constexpr std::string_view candidateNodesOption = "--candidate-nodes";
inline constexpr std::string_view candidateInputsOption = "--candidate-inputs";
inline constexpr std::string_view candidateRandomOption = "--candidate-random";
inline constexpr std::string_view candidateSizesOption = "--candidate-sizes";
inline constexpr std::string_view candidateConstantsOption = "--candidate-constants";
inline constexpr std::string_view candidateFillOption = "--candidate-fill";
/// Value of the instruction list that means all.
inline constexpr std::string_view allInstructions = "all";

/// Runs in the candidate's process: builds and checks the candidate, and writes the report to reportPath.
[[nodiscard]] core::Result<> serveCandidate(const CandidateSettings& settings);

/// Runs in the reducing process: starts the candidate's process and waits for it. `failure`: value of
/// --fails, which is the command for FailureKind::Command. A process that dies or times out is a failure if
/// that kind is searched for. Errors: Cancelled, Io.
[[nodiscard]] core::Result<CandidateReport> runCandidate(const CandidateSettings& settings,
                                                         std::string_view failure, double seconds);

/// Replaces each {} in a command with `file`, quoted for a shell.
[[nodiscard]] std::string commandFor(std::string_view command, const std::filesystem::path& file);

}  // namespace et::tasks
