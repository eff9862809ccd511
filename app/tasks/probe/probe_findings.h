#pragma once

#include "app/tasks/probe/probe_set.h"
#include "app/tasks/probe/size_search.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

/// Result of a property of an operator: the sizes of the model, NaN, or an axis.
struct ProbeFinding {
    std::size_t subject = 0;
    std::string tested;  ///< "sizes of the model", "NaN", "input dim 1"
    ProbeVerdict verdict = ProbeVerdict::Pending;
    std::optional<SizeRule> rule{};     ///< of an axis
    std::vector<std::int64_t> sizes{};  ///< of an axis: the judged ones
    std::string note{};                 ///< of the first wrong probe
};

/// In the order of the subjects.
[[nodiscard]] std::vector<ProbeFinding> probeFindings(const ProbeSet& set);

/// Delegate calls that are wrong, although each of their operators is right alone.
[[nodiscard]] std::vector<std::string> wrongTogether(const ProbeSet& set);

/// "168 to 192", "not divisible by 4", "all tested"; empty: none.
[[nodiscard]] std::string ruleText(const SizeRule& rule);

}  // namespace et::tasks
