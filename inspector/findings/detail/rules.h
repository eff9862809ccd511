#pragma once

#include "inspector/findings/detail/facts.h"

#include <vector>

// The rules, each one row of the table in findings.cpp. They leave Finding::rule to the table.
namespace et::inspector::detail {

using Findings = std::vector<Finding>;

/// What all rules find, those with the largest share first.
[[nodiscard]] Findings findAll(const Facts& facts);

// partition_rules.cpp: what runs where.
void findSplitPartitions(const Facts& facts, Findings& out);
void findUndelegatedOperators(const Facts& facts, Findings& out);
void findUndelegatedMethods(const Facts& facts, Findings& out);
void findQuantizationOutside(const Facts& facts, Findings& out);
void findDataMovement(const Facts& facts, Findings& out);
void findLayoutConversions(const Facts& facts, Findings& out);
void findUnexplainedDelegateTime(const Facts& facts, Findings& out);

// time_rules.cpp: what a trace alone tells.
void findHotOperators(const Facts& facts, Findings& out);
void findTimeBetweenInstructions(const Facts& facts, Findings& out);
void findSlowFirstRun(const Facts& facts, Findings& out);
void findSlowLoading(const Facts& facts, Findings& out);
void findUnsteadyRuns(const Facts& facts, Findings& out);
void findLoggedValues(const Facts& facts, Findings& out);

// memory_rules.cpp: what the memory plan tells.
void findPeakTensors(const Facts& facts, Findings& out);
void findFragmentation(const Facts& facts, Findings& out);
void findPlanOverlaps(const Facts& facts, Findings& out);

// session_rules.cpp: what the files say of each other.
void findContradictions(const Facts& facts, Findings& out);

}  // namespace et::inspector::detail
