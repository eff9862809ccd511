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
    FindingRuleInfo input;
    void (*find)(const findings::detail::RuleInput& input, findings::detail::Findings& out);
};
constexpr std::array rules{
    Rule{{"contradiction", "Files that do not belong together"}, findings::detail::findContradictions},
    Rule{{"newer-schema", "A program that ExecuTorch's runtime does not load"},
         findings::detail::findNewerSchemas},
    Rule{{"integer-remainder", "Remainders whose sign differs in ExecuTorch"},
         findings::detail::findIntegerRemainders},
    Rule{{"reordered-inputs", "Bundled inputs that ExecuTorch reads in another order"},
         findings::detail::findReorderedInputs},
    Rule{{"plan-overlap", "A memory plan that overwrites live values"}, findings::detail::findPlanOverlaps},
    Rule{{"lost-first-values", "Mutable buffers that start at zero"}, findings::detail::findLostFirstValues},
    Rule{{"split-partition", "A few operators between calls of the same backend"},
         findings::detail::findSplitPartitions},
    Rule{{"no-delegate", "A method whose matrix products and convolutions are not delegated"},
         findings::detail::findUndelegatedMethods},
    Rule{{"undelegated-operator", "Operators that run outside delegates"},
         findings::detail::findUndelegatedOperators},
    Rule{{"quantize-outside", "Quantize and dequantize operators outside delegates"},
         findings::detail::findQuantizationOutside},
    Rule{{"data-movement", "Operators that only move data"}, findings::detail::findDataMovement},
    Rule{{"layout-conversion", "Layout conversions inside delegates"},
         findings::detail::findLayoutConversions},
    Rule{{"delegate-overhead", "Overhead of delegate calls"}, findings::detail::findUnexplainedDelegateTime},
    Rule{{"hot-operator", "One operator with a large share of a run"}, findings::detail::findHotOperators},
    Rule{{"below-limit", "Operators far from the machine's limit"}, findings::detail::findSlowKernels},
    Rule{{"interpreter-time", "Time of a run between instructions"},
         findings::detail::findTimeBetweenInstructions},
    Rule{{"slow-first-run", "A first run much longer than the others"}, findings::detail::findSlowFirstRun},
    Rule{{"slow-load", "Loading that takes as long as many runs"}, findings::detail::findSlowLoading},
    Rule{{"unsteady-runs", "Runs that differ or drift"}, findings::detail::findUnsteadyRuns},
    Rule{{"logged-values", "Times of a trace that logged values"}, findings::detail::findLoggedValues},
    Rule{{"weight-bound-decode", "Decode steps limited by reading weights"},
         findings::detail::findWeightBoundDecode},
    Rule{{"attention-growth", "Attention that takes half of a step within the context"},
         findings::detail::findGrowingAttention},
    Rule{{"costly-logits", "An output layer with a large share of a phase"},
         findings::detail::findCostlyLogits},
    Rule{{"cache-copies", "Time spent on writing KV caches"}, findings::detail::findCacheCopies},
    Rule{{"prefill-by-token", "A prompt that is processed one token at a time"},
         findings::detail::findPrefillByToken},
    Rule{{"undelegated-phase", "A large share of a phase outside delegates"},
         findings::detail::findUndelegatedPhases},
    Rule{{"peak-tensor", "One tensor with a large share of the peak"}, findings::detail::findPeakTensors},
    Rule{{"fragmented-plan", "A memory plan larger than its peak"}, findings::detail::findFragmentation},
};

}  // namespace

namespace findings::detail {

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

}  // namespace findings::detail

std::span<const FindingRuleInfo> findingRules() {
    static const auto input = [] {
        std::array<FindingRuleInfo, rules.size()> all{};
        std::ranges::transform(rules, all.begin(), &Rule::input);
        return all;
    }();
    return input;
}

std::vector<Finding> deriveFindings(const Session& session, const events::EventLimits* limits) {
    findings::detail::RuleInput input(session);
    input.limits = limits;
    fill(input);
    return findings::detail::findAll(input);
}

std::optional<double> measuredShare(const Finding& finding) {
    return finding.unit == FindingUnit::None ? std::nullopt : std::optional(finding.share);
}

std::string weightText(const Finding& finding) {
    switch (finding.unit) {
        case FindingUnit::Nanoseconds:
            return format::readableTime(finding.weight);
        case FindingUnit::Cycles:
            return format::readableTime(finding.weight, TimeScale::Cycles);
        case FindingUnit::Bytes:
            return format::readableBytes(static_cast<std::uint64_t>(finding.weight));
        case FindingUnit::None:
            break;
    }
    return {};
}

}  // namespace et::inspector
