#pragma once

#include "inspector/findings/detail/rule_input.h"

#include <vector>

// The rules, each one row of the table in findings.cpp. They leave Finding::rule to the table.
namespace et::inspector::detail {

using Findings = std::vector<Finding>;

/// What all rules find, those with the largest share first.
[[nodiscard]] Findings findAll(const RuleInput& input);

// partition_rules.cpp: what runs where.
void findSplitPartitions(const RuleInput& input, Findings& out);
void findUndelegatedOperators(const RuleInput& input, Findings& out);
void findUndelegatedMethods(const RuleInput& input, Findings& out);
void findQuantizationOutside(const RuleInput& input, Findings& out);
void findDataMovement(const RuleInput& input, Findings& out);
void findLayoutConversions(const RuleInput& input, Findings& out);
void findUnexplainedDelegateTime(const RuleInput& input, Findings& out);

// time_rules.cpp: what a trace alone tells.
void findHotOperators(const RuleInput& input, Findings& out);
void findTimeBetweenInstructions(const RuleInput& input, Findings& out);
void findSlowFirstRun(const RuleInput& input, Findings& out);
void findSlowLoading(const RuleInput& input, Findings& out);
void findUnsteadyRuns(const RuleInput& input, Findings& out);
void findLoggedValues(const RuleInput& input, Findings& out);

// limit_rules.cpp: what a machine that was measured could do.
void findSlowKernels(const RuleInput& input, Findings& out);

// language_rules.cpp: what the phases of a language model tell.
void findWeightBoundDecode(const RuleInput& input, Findings& out);
void findGrowingAttention(const RuleInput& input, Findings& out);
void findCostlyLogits(const RuleInput& input, Findings& out);
void findCacheCopies(const RuleInput& input, Findings& out);
void findPrefillByToken(const RuleInput& input, Findings& out);
void findUndelegatedPhases(const RuleInput& input, Findings& out);

// memory_rules.cpp: what the memory plan tells.
void findPeakTensors(const RuleInput& input, Findings& out);
void findFragmentation(const RuleInput& input, Findings& out);
void findPlanOverlaps(const RuleInput& input, Findings& out);

// session_rules.cpp: what the files say of each other.
void findContradictions(const RuleInput& input, Findings& out);

}  // namespace et::inspector::detail
