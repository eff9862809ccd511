#pragma once

#include "inspector/events/event_limits.h"
#include "inspector/session/session.h"
#include "runtime/core/strong_id.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What a person would look at first in what is open, found by rules.
namespace et::inspector {

/// What the weight of a finding counts.
enum class FindingUnit : std::uint8_t { Nanoseconds, Bytes, Cycles, None };

/// One thing worth knowing, and the rule that produced it.
struct Finding {
    std::string_view rule;    ///< id of the rule: "split-partition"; lives for ever
    std::string title;        ///< one line with figures
    std::string explanation;  ///< why it costs, and what to do about it
    double weight = 0;        ///< what it costs in `unit`; time is that of one run
    FindingUnit unit = FindingUnit::None;
    /// 0 to 1: the part of the run's time, or of the memory that it is about, that `weight` is. Findings with
    /// unit None have what the rule thinks them worth, which only ranks them: show measuredShare().
    double share = 0;
    std::string method{};  ///< empty: of no one method
    /// Of the method's first chain; what a click on the finding chooses.
    std::vector<core::InstructionId> instructions{};
    std::vector<core::DebugHandle> handles{};
};

/// What a rule is, for people.
struct FindingRuleTraits {
    std::string_view id;
    std::string_view says;  ///< "Two delegates with a few cheap operators between them"
};
[[nodiscard]] std::span<const FindingRuleTraits> findingRules();

/// All findings, those with the largest share first. Rules whose files are not open find nothing. Joins
/// delegates and memory plans, which takes a moment for large programs. `limits`: what the events of the
/// session's blocks could be; null: no machine is known to compare with.
[[nodiscard]] std::vector<Finding> findings(const Session& session,
                                            const report::EventLimits* limits = nullptr);

/// The share, where something was measured that it is a share of; nothing for FindingUnit::None.
[[nodiscard]] std::optional<double> measuredShare(const Finding& finding);

/// "0.4 ms", "14.5 MiB"; empty for FindingUnit::None.
[[nodiscard]] std::string weightText(const Finding& finding);

}  // namespace et::inspector
