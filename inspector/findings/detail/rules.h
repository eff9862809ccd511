#pragma once

#include "inspector/findings/detail/rule_input.h"

#include <vector>

// The rules, each one row of the table in findings.cpp, which sets Finding::rule.
namespace et::inspector::findings::detail {

using Findings = std::vector<Finding>;

/// Findings of all rules, largest share first.
[[nodiscard]] Findings findAll(const RuleInput& input);

// partition_rules.cpp: where operators run.
void findSplitPartitions(const RuleInput& input, Findings& out);
void findUndelegatedOperators(const RuleInput& input, Findings& out);
void findUndelegatedMethods(const RuleInput& input, Findings& out);
void findQuantizationOutside(const RuleInput& input, Findings& out);
void findDataMovement(const RuleInput& input, Findings& out);
void findLayoutConversions(const RuleInput& input, Findings& out);
void findUnexplainedDelegateTime(const RuleInput& input, Findings& out);

// time_rules.cpp: findings from a trace alone.
void findHotOperators(const RuleInput& input, Findings& out);
void findTimeBetweenInstructions(const RuleInput& input, Findings& out);
void findSlowFirstRun(const RuleInput& input, Findings& out);
void findSlowLoading(const RuleInput& input, Findings& out);
void findUnsteadyRuns(const RuleInput& input, Findings& out);
void findLoggedValues(const RuleInput& input, Findings& out);

// state_rules.cpp: mutable buffers.
void findLostFirstValues(const RuleInput& input, Findings& out);

// limit_rules.cpp: comparison with a measured machine.
void findSlowKernels(const RuleInput& input, Findings& out);

// language_rules.cpp: phases of a language model.
void findWeightBoundDecode(const RuleInput& input, Findings& out);
void findGrowingAttention(const RuleInput& input, Findings& out);
void findCostlyLogits(const RuleInput& input, Findings& out);
void findCacheCopies(const RuleInput& input, Findings& out);
void findPrefillByToken(const RuleInput& input, Findings& out);
void findUndelegatedPhases(const RuleInput& input, Findings& out);

// memory_rules.cpp: memory plan.
void findPeakTensors(const RuleInput& input, Findings& out);
void findFragmentation(const RuleInput& input, Findings& out);
void findPlanOverlaps(const RuleInput& input, Findings& out);

// device_rules.cpp: results that differ on a device.
void findIntegerRemainders(const RuleInput& input, Findings& out);
void findReorderedInputs(const RuleInput& input, Findings& out);

// training_rules.cpp: programs that compute gradients.
void findInvalidTraining(const RuleInput& input, Findings& out);
void findMissingBackward(const RuleInput& input, Findings& out);

// session_rules.cpp: contradictions between files, and programs that a device does not load.
void findContradictions(const RuleInput& input, Findings& out);
void findNewerSchemas(const RuleInput& input, Findings& out);

}  // namespace et::inspector::findings::detail
