#pragma once

#include "app/tasks/reduce/candidate.h"
#include "runtime/core/result.h"

#include <functional>

namespace et::app {

/// Does what checkCandidate() does, into `report`. Errors: whatever keeps the candidate from being made or
/// run.
[[nodiscard]] core::Result<> judgeCandidate(const CandidateSettings& settings, const CandidateBuilt& built,
                                            CandidateReport& report);

}  // namespace et::app
