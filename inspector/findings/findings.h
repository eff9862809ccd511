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

// Rule-based findings about the open files.
namespace et::inspector {

/// Unit of a finding's weight.
enum class FindingUnit : std::uint8_t { Nanoseconds, Bytes, Cycles, None };

/// A finding, and the rule that produced it.
struct Finding {
    std::string_view rule;    ///< id of the rule: "split-partition"; static lifetime
    std::string title;        ///< one line with figures
    std::string explanation;  ///< why it is costly, and how to fix it
    double weight = 0;        ///< cost in `unit`; time is for one run
    FindingUnit unit = FindingUnit::None;
    /// Share (0 to 1) of `weight` in the run's time or in the memory concerned. For unit None it is the
    /// rule's own estimate, only used for ranking: show measuredShare().
    double share = 0;
    std::string method{};  ///< empty: not specific to one method
    /// Of the method's first chain; selected by clicking the finding.
    std::vector<core::InstructionId> instructions{};
    std::vector<core::DebugHandle> handles{};
};

/// Description of a rule.
struct FindingRuleInfo {
    std::string_view id;
    std::string_view says;       ///< "Two delegates with a few cheap operators between them"
    std::string_view condition;  ///< with numbers: "up to 8 operators between two calls of the same backend"
    std::string_view needs;      ///< files: "program, trace"
    std::string_view weight;     ///< meaning of Finding::weight, or "none"
};
[[nodiscard]] std::span<const FindingRuleInfo> findingRules();

/// All findings, largest share first. Rules whose files are not open find nothing. Joins delegates and memory
/// plans, which takes a moment for large programs. `limits`: attainable times of the events of the session's
/// blocks; null: no machine is known.
[[nodiscard]] std::vector<Finding> deriveFindings(const Session& session,
                                                  const events::EventLimits* limits = nullptr);

/// The share, if it was measured; empty for FindingUnit::None.
[[nodiscard]] std::optional<double> measuredShare(const Finding& finding);

/// "0.4 ms", "14.5 MiB"; empty for FindingUnit::None.
[[nodiscard]] std::string weightText(const Finding& finding);

}  // namespace et::inspector
