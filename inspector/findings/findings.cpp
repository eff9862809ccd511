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
    Rule{{"contradiction", "Files that do not belong together", "files that do not belong together",
          "two files", "none; always first"},
         findings::detail::findContradictions},
    Rule{{"newer-schema", "A program that ExecuTorch's runtime does not load",
          "a schema version above the highest that ExecuTorch reads", "program", "none"},
         findings::detail::findNewerSchemas},
    Rule{{"integer-remainder", "Remainders whose sign differs in ExecuTorch",
          "remainder of signed integers, which ExecuTorch computes as C's %", "program", "none"},
         findings::detail::findIntegerRemainders},
    Rule{{"invalid-training", "Gradients that ExecuTorch cannot find",
          "invalid `__et_training_*` methods of a training program", "program", "none"},
         findings::detail::findInvalidTraining},
    Rule{{"missing-backward", "Backward operators that ExecuTorch does not have",
          "backward operators except those of convolution and max pooling", "program", "none"},
         findings::detail::findMissingBackward},
    Rule{{"reordered-inputs", "Bundled inputs that ExecuTorch reads in another order",
          "cases with inputs in another dim order than the method plans: ExecuTorch's runner copies their "
          "bytes unchanged",
          "bundled program", "none"},
         findings::detail::findReorderedInputs},
    Rule{{"plan-overlap", "A memory plan that overwrites live values",
          "a memory plan in which a tensor overwrites another in use", "program",
          "bytes of the second tensor"},
         findings::detail::findPlanOverlaps},
    Rule{{"lost-first-values", "Mutable buffers that start at zero",
          "mutable buffers that start at zero because the program has no first values: with an ETRecord, "
          "those with other values there; without, all except KV caches",
          "program", "none; first with an ETRecord"},
         findings::detail::findLostFirstValues},
    Rule{{"split-partition", "A few operators between calls of the same backend",
          "up to 8 operators between two calls of the same backend", "program", "their time"},
         findings::detail::findSplitPartitions},
    Rule{{"no-delegate", "A method whose matrix products and convolutions are not delegated",
          "a method with matrix products or convolutions, without delegates", "program", "their time"},
         findings::detail::findUndelegatedMethods},
    Rule{{"undelegated-operator", "Operators that run outside delegates",
          "operators outside delegates, in a method with delegates, from 1 % of a run", "program, trace",
          "their time"},
         findings::detail::findUndelegatedOperators},
    Rule{{"quantize-outside", "Quantize and dequantize operators outside delegates",
          "quantize and dequantize operators outside delegates, from 1 %", "program", "their time"},
         findings::detail::findQuantizationOutside},
    Rule{{"data-movement", "Operators that only move data",
          "copies, permutations and concatenations outside delegates, from 1 %", "program, trace",
          "their time"},
         findings::detail::findDataMovement},
    Rule{{"layout-conversion", "Layout conversions inside delegates",
          "operators in delegates that only change the dim order, from 1 %", "program, trace", "their time"},
         findings::detail::findLayoutConversions},
    Rule{{"delegate-overhead", "Overhead of delegate calls",
          "time of delegate calls outside their operators, from 1 %", "program, trace", "that time"},
         findings::detail::findUnexplainedDelegateTime},
    Rule{{"hot-operator", "One operator with a large share of a run",
          "an operator with at least 20 % of a run", "trace", "its time"},
         findings::detail::findHotOperators},
    Rule{{"below-limit", "Operators far from the machine's limit",
          "an operator below 35 % of the roofline, with at least 2 % of a run to gain; with --limits or "
          "--machine",
          "program, trace, machine", "time minus least time"},
         findings::detail::findSlowKernels},
    Rule{{"interpreter-time", "Time of a run between instructions",
          "at least 5 % of a run between instructions", "program, trace", "that time"},
         findings::detail::findTimeBetweenInstructions},
    Rule{{"slow-first-run", "A first run much longer than the others",
          "a first run of at least 1.5 times the median (from 5 runs)", "trace",
          "the difference, of all traced runs"},
         findings::detail::findSlowFirstRun},
    Rule{{"slow-load", "Loading that takes as long as many runs",
          "loading that takes at least as long as 10 runs", "trace", "its time, of loading and all runs"},
         findings::detail::findSlowLoading},
    Rule{{"unsteady-runs", "Runs that differ or drift",
          "p90 of at least 1.25 times p50, or drift (from 10 runs)", "trace", "p90 − p50"},
         findings::detail::findUnsteadyRuns},
    Rule{{"logged-values", "Times of a trace that logged values",
          "logged intermediate values, which lengthen times", "trace", "none"},
         findings::detail::findLoggedValues},
    Rule{{"weight-bound-decode", "Decode steps limited by reading weights",
          "decode steps with half of their time in products whose weights read at least 8 MiB a token at 4 "
          "GB/s or more",
          "program, trace with phases", "their time in a step"},
         findings::detail::findWeightBoundDecode},
    Rule{{"attention-growth", "Attention that takes half of a step within the context",
          "attention that takes half of a decode step from a position within the context (without the "
          "program: within four times the traced positions)",
          "trace with positions", "its time at the last position"},
         findings::detail::findGrowingAttention},
    Rule{{"costly-logits", "An output layer with a large share of a phase",
          "the last product of prefill or decode with at least 20 % of a call", "trace with phases",
          "its time in a call"},
         findings::detail::findCostlyLogits},
    Rule{{"cache-copies", "Time spent on writing KV caches", "at least 5 % of a decode step in cache writes",
          "trace with phases", "their time in a step"},
         findings::detail::findCacheCopies},
    Rule{{"prefill-by-token", "A prompt that is processed one token at a time",
          "a prompt read in four or more calls of one token", "trace of generate", "all of prefill"},
         findings::detail::findPrefillByToken},
    Rule{{"undelegated-phase", "A large share of a phase outside delegates",
          "at least 20 % of prefill or decode outside delegates, in a trace with delegates",
          "trace with phases", "their time in a call"},
         findings::detail::findUndelegatedPhases},
    Rule{{"peak-tensor", "One tensor with a large share of the peak",
          "a tensor, not an input, with at least 25 % of the peak", "program", "its bytes"},
         findings::detail::findPeakTensors},
    Rule{{"fragmented-plan", "A memory plan larger than its peak",
          "at least 5 % of planned bytes that the peak does not need", "program", "those bytes"},
         findings::detail::findFragmentation},
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
