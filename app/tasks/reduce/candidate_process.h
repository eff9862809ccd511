#pragma once

#include "app/tasks/reduce/candidate.h"
#include "runtime/core/result.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

class OptionList;

/// Option of `et-inspect reduce` that makes it a candidate's process.
inline constexpr const char* candidateOption = "--candidate";
/// Adds the hidden options of that process: the candidate.
void addCandidateOptions(OptionList& options, CandidateSettings& candidate);

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
