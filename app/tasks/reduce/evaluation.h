#pragma once

#include "app/tasks/reduce/candidate.h"
#include "runtime/core/result.h"

#include <functional>

namespace et::tasks {

/// Implements checkCandidate(); fills `report`. Errors: anything that prevents building or running the
/// candidate.
[[nodiscard]] core::Result<> evaluateCandidate(const CandidateSettings& settings, const CandidateBuilt& built,
                                               CandidateReport& report);

}  // namespace et::tasks
