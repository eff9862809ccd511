#include "inspector/findings/detail/rules.h"
#include "inspector/format/quantities.h"
#include "inspector/names/operator_names.h"
#include "inspector/names/plain_operator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace et::inspector::findings::detail {
namespace {

/// Maximum number of operators between two delegates; more are considered a part of the model.
constexpr std::size_t maxBetween = 8;
/// Minimum share of a run for a finding.
constexpr double minShare = 0.01;

using Instructions = std::vector<core::InstructionId>;

double timeOf(const MethodInput& method, const Instructions& instructions) {
    double sum = 0;
    for (const core::InstructionId each : instructions) {
        sum += method.timeOf(each);
    }
    return sum;
}

std::string counted(std::size_t number, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", number, number == 1 ? one : many);
}

/// Sets the location and cost of a finding.
Finding located(const RuleInput& input, const MethodInput& method, Instructions instructions) {
    Finding finding;
    finding.method = method.method->name;
    for (const core::InstructionId each : instructions) {
        std::ranges::copy(method.nodes.handlesOf(each), std::back_inserter(finding.handles));
    }
    if (method.total > 0) {
        input.weigh(finding, timeOf(method, instructions), method.total);
    }
    finding.instructions = std::move(instructions);
    return finding;
}

/// ", 0.4 ms of a run"; empty if nothing was measured.
std::string costText(const Finding& finding) {
    return finding.unit == FindingUnit::None ? std::string()
                                             : fmt::format(", {} of a run ({})", weightText(finding),
                                                           format::readablePercent(finding.share));
}

bool matters(const Finding& finding) {
    return finding.unit == FindingUnit::None || finding.share >= minShare;
}

/// Finding for these calls; empty if there are none, or their share is too small.
std::optional<Finding> findingAt(const RuleInput& input, const MethodInput& method, Instructions calls) {
    if (calls.empty()) {
        return std::nullopt;
    }
    Finding finding = located(input, method, std::move(calls));
    return matters(finding) ? std::optional(std::move(finding)) : std::nullopt;
}

/// Matching kernel calls, in the order of the method.
template <class Test>
Instructions kernels(const MethodInput& method, Test test) {
    Instructions found;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(method.instructions().size()); ++i) {
        const core::InstructionId at(i);
        if (method.kernelCall(at) != nullptr && test(method.nameOf(at))) {
            found.push_back(at);
        }
    }
    return found;
}

/// Instructions between two delegate calls of one backend.
struct Split {
    Instructions between{};
    std::set<std::int32_t> delegates{};  ///< instructions of the calls on both sides
};

/// Splits of a method by the operators that cause them: "view_copy", or "mul, add".
std::map<std::string, Split> findSplits(const MethodInput& method) {
    std::map<std::string, Split> splits;
    std::optional<core::InstructionId> before;
    Instructions between;
    std::set<std::string> names;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(method.instructions().size()); ++i) {
        const core::InstructionId at(i);
        if (method.delegateCall(at) == nullptr) {
            if (method.kernelCall(at) != nullptr) {
                names.insert(method.nameOf(at));
                between.push_back(at);
            }
            continue;
        }
        if (before && !between.empty() && between.size() <= maxBetween &&
            method.nameOf(*before) == method.nameOf(at)) {
            Split& split = splits[fmt::format("{}", fmt::join(names, ", "))];
            split.between.insert(split.between.end(), between.begin(), between.end());
            split.delegates.insert({before->value, i});
        }
        before = at;
        between.clear();
        names.clear();
    }
    return splits;
}

}  // namespace

void findSplitPartitions(const RuleInput& input, Findings& out) {
    for (const MethodInput& method : input.methods) {
        for (auto& [names, split] : findSplits(method)) {
            Finding finding = located(input, method, std::move(split.between));
            const bool one = !names.contains(',');
            const std::string cost = finding.unit == FindingUnit::None
                                         ? counted(finding.instructions.size(), "operator", "operators")
                                         : weightText(finding);
            finding.title = fmt::format("`{}` {} the partition: {} delegates, {} between them", names,
                                        one ? "splits" : "split", split.delegates.size(), cost);
            finding.explanation =
                "Operators that the delegate does not support are between calls of the same backend: each "
                "call converts its inputs and outputs, and nothing is fused across them. Use an operator "
                "that the partitioner accepts (a reshape instead of a copying view), or move these to one "
                "end.";
            out.push_back(std::move(finding));
        }
    }
}

void findUndelegatedOperators(const RuleInput& input, Findings& out) {
    for (const MethodInput& method : input.methods) {
        if (method.method->delegates.empty()) {
            continue;
        }
        std::map<std::string, Instructions> byName;
        for (const core::InstructionId at : kernels(method, [](std::string_view) { return true; })) {
            byName[method.nameOf(at)].push_back(at);
        }
        for (auto& [name, calls] : byName) {
            auto finding = findingAt(input, method, std::move(calls));
            if (!finding || finding->unit == FindingUnit::None) {
                continue;
            }
            finding->title =
                fmt::format("`{}` runs outside delegates: {}{}", name,
                            counted(finding->instructions.size(), "call", "calls"), costText(*finding));
            finding->explanation =
                "The partitioner left it to the runtime's own kernel. `et-inspect lower --dry-run` on the "
                "ETRecord reports the rule that excludes it, `et-inspect delegates --measure` the time that "
                "delegating it would save; or change the model so that it is not needed.";
            out.push_back(*std::move(finding));
        }
    }
}

void findUndelegatedMethods(const RuleInput& input, Findings& out) {
    for (const MethodInput& method : input.methods) {
        auto finding = findingAt(input, method, kernels(method, names::detail::isProduct));
        if (!finding || !method.method->delegates.empty()) {
            continue;
        }
        finding->title = fmt::format(
            "`{}` has no delegate: {} on the runtime's kernels{}", core::printable(method.method->name),
            counted(finding->instructions.size(), "matrix product or convolution runs",
                    "matrix products and convolutions run"),
            costText(*finding));
        finding->explanation =
            "A CPU backend packs weights once and uses the widest vector instructions available. Lower the "
            "model with a partitioner.";
        out.push_back(*std::move(finding));
    }
}

void findQuantizationOutside(const RuleInput& input, Findings& out) {
    for (const MethodInput& method : input.methods) {
        if (auto finding = findingAt(input, method, kernels(method, isQuantization))) {
            finding->title = fmt::format("quantization runs outside delegates: {}{}",
                                         counted(finding->instructions.size(), "operator", "operators"),
                                         costText(*finding));
            finding->explanation =
                "Quantize and dequantize operators that remain in the program convert whole tensors instead "
                "of running inside an integer operator. Look for a pair around an operator that the "
                "quantizer does not annotate or the backend does not support.";
            out.push_back(*std::move(finding));
        }
    }
}

void findDataMovement(const RuleInput& input, Findings& out) {
    for (const MethodInput& method : input.methods) {
        auto finding = findingAt(input, method, kernels(method, isDataMovement));
        if (!finding || finding->unit == FindingUnit::None) {
            continue;
        }
        finding->title = fmt::format(
            "{} data{}",
            counted(finding->instructions.size(), "operator that only moves", "operators that only move"),
            costText(*finding));
        finding->explanation =
            "Copies, permutations and concatenations compute nothing. Views that need no copy, or another "
            "memory format throughout, avoid them.";
        out.push_back(*std::move(finding));
    }
}

namespace {

/// Sum of one part over all measured delegate calls.
struct PartSum {
    double time = 0;
    Instructions instructions{};
};
template <class Part>
PartSum sumOf(const MethodInput& method, Part part) {
    PartSum sum;
    if (method.delegates == nullptr) {
        return sum;
    }
    for (const DelegateReport& delegate : method.delegates->delegates) {
        for (const DelegateCallSite& call : delegate.calls) {
            if (call.parts && part(*call.parts) > 0) {
                sum.time += part(*call.parts);
                sum.instructions.push_back(call.instruction);
            }
        }
    }
    return sum;
}

/// Finding for a part of the delegates' time; empty if it is too small.
template <class Part>
std::optional<Finding> partFinding(const RuleInput& input, const MethodInput& method, Part part) {
    PartSum sum = sumOf(method, part);
    if (sum.time <= 0 || method.total <= 0) {
        return std::nullopt;
    }
    Finding finding = located(input, method, std::move(sum.instructions));
    input.weigh(finding, sum.time, method.total);
    return matters(finding) ? std::optional(std::move(finding)) : std::nullopt;
}

}  // namespace

void findLayoutConversions(const RuleInput& input, Findings& out) {
    for (const MethodInput& method : input.methods) {
        if (auto finding = partFinding(input, method, [](const CallParts& p) { return p.layout; })) {
            finding->title = fmt::format("delegates convert layouts{}", costText(*finding));
            finding->explanation =
                "Transposes and copies at the boundaries of delegates that no node of the model requests. A "
                "model in channels-last order, or fewer and larger partitions, has fewer of them.";
            out.push_back(*std::move(finding));
        }
    }
}

void findUnexplainedDelegateTime(const RuleInput& input, Findings& out) {
    for (const MethodInput& method : input.methods) {
        if (auto finding = partFinding(input, method, [](const CallParts& p) { return p.unexplained(); })) {
            finding->title = fmt::format("{} of the run is delegate call overhead: {}",
                                         format::readablePercent(finding->share), weightText(*finding));
            finding->explanation =
                "The difference is call preparation, waiting for threads, and clock rounding. If it is "
                "large, use fewer, larger partitions, or fewer threads.";
            out.push_back(*std::move(finding));
        }
    }
}

}  // namespace et::inspector::findings::detail
