#include "inspector/findings/findings.h"

#include "inspector/findings/detail/rule_input.h"
#include "inspector/findings/detail/rules.h"
#include "inspector/findings/summary.h"
#include "inspector/format/quantities.h"

#include <algorithm>
#include <array>

namespace et::inspector {
namespace {

struct Rule {
    FindingRuleTraits input;
    void (*find)(const detail::RuleInput& input, detail::Findings& out);
};
constexpr std::array rules{
    Rule{{"contradiction", "Files that do not belong together"}, detail::findContradictions},
    Rule{{"plan-overlap", "A memory plan that destroys values"}, detail::findPlanOverlaps},
    Rule{{"split-partition", "A few operators between calls of the same backend"},
         detail::findSplitPartitions},
    Rule{{"no-delegate", "A method whose matrix products and convolutions no delegate runs"},
         detail::findUndelegatedMethods},
    Rule{{"undelegated-operator", "Operators that run outside of delegates"},
         detail::findUndelegatedOperators},
    Rule{{"quantize-outside", "Quantize and dequantize operators outside of delegates"},
         detail::findQuantizationOutside},
    Rule{{"data-movement", "Operators that only move data"}, detail::findDataMovement},
    Rule{{"layout-conversion", "Layout conversions inside of delegates"}, detail::findLayoutConversions},
    Rule{{"delegate-overhead", "Calls of delegates that take longer than their operators"},
         detail::findUnexplainedDelegateTime},
    Rule{{"hot-operator", "One operator with a large part of a run"}, detail::findHotOperators},
    Rule{{"below-limit", "Operators far from what the machine can do"}, detail::findSlowKernels},
    Rule{{"interpreter-time", "Time of a run between instructions"}, detail::findTimeBetweenInstructions},
    Rule{{"slow-first-run", "A first run that is much longer than the others"}, detail::findSlowFirstRun},
    Rule{{"slow-load", "Loading that takes as long as many runs"}, detail::findSlowLoading},
    Rule{{"unsteady-runs", "Runs that differ or drift"}, detail::findUnsteadyRuns},
    Rule{{"logged-values", "Times of a trace that logged values"}, detail::findLoggedValues},
    Rule{{"weight-bound-decode", "Decode steps that wait for the weights"}, detail::findWeightBoundDecode},
    Rule{{"attention-growth", "Attention that takes half of a step within the context"},
         detail::findGrowingAttention},
    Rule{{"costly-logits", "An output layer with a large part of a phase"}, detail::findCostlyLogits},
    Rule{{"cache-copies", "Time spent on writing KV caches"}, detail::findCacheCopies},
    Rule{{"prefill-by-token", "A prompt that is read one token at a time"}, detail::findPrefillByToken},
    Rule{{"undelegated-phase", "Much time of a phase outside of delegates"}, detail::findUndelegatedPhases},
    Rule{{"peak-tensor", "One tensor with a large part of the peak"}, detail::findPeakTensors},
    Rule{{"fragmented-plan", "A memory plan larger than its peak"}, detail::findFragmentation},
};

}  // namespace

namespace detail {

Findings findAll(const RuleInput& input) {
    Findings all;
    for (const Rule& rule : rules) {
        const std::size_t before = all.size();
        rule.find(input, all);
        std::ranges::for_each(all.begin() + static_cast<std::ptrdiff_t>(before), all.end(),
                              [&](Finding& each) { each.rule = rule.input.id; });
    }
    std::ranges::stable_sort(all, std::ranges::greater{}, &Finding::share);
    return all;
}

}  // namespace detail

std::span<const FindingRuleTraits> findingRules() {
    static const auto input = [] {
        std::array<FindingRuleTraits, rules.size()> all{};
        std::ranges::transform(rules, all.begin(), &Rule::input);
        return all;
    }();
    return input;
}

std::vector<Finding> findings(const Session& session, const report::EventLimits* limits) {
    detail::RuleInput input(session);
    input.limits = limits;
    join(input);
    return detail::findAll(input);
}

std::optional<double> measuredShare(const Finding& finding) {
    return finding.unit == FindingUnit::None ? std::nullopt : std::optional(finding.share);
}

std::string weightText(const Finding& finding) {
    switch (finding.unit) {
        case FindingUnit::Nanoseconds:
            return report::readableTime(finding.weight);
        case FindingUnit::Cycles:
            return report::readableTime(finding.weight, TimeScale::Cycles);
        case FindingUnit::Bytes:
            return report::readableBytes(static_cast<std::uint64_t>(finding.weight));
        case FindingUnit::None:
            break;
    }
    return {};
}

}  // namespace et::inspector
