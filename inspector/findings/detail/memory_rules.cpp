#include "inspector/findings/detail/rules.h"
#include "inspector/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::inspector::findings::detail {
namespace {

using format::readableBytes;

constexpr double minPeakShare = 0.25;
constexpr double minFragmentation = 0.05;
/// Smaller amounts of memory are not reported.
constexpr std::uint64_t minBytes = 4096;

Finding ofBytes(const MethodInput& method, std::uint64_t bytes, double share) {
    Finding finding;
    finding.weight = static_cast<double>(bytes);
    finding.unit = FindingUnit::Bytes;
    finding.share = share;
    finding.method = method.method->name;
    return finding;
}

void addPlace(const MethodInput& method, const std::optional<ChainPosition>& place, Finding& finding) {
    if (place && place->chain == 0) {
        finding.instructions.push_back(place->instruction);
        finding.handles = method.nodes.handlesOf(place->instruction);
    }
}

}  // namespace

void findPeakTensors(const RuleInput& input, Findings& out) {
    for (const MethodInput& method : input.methods) {
        if (!method.memory || method.memory->peakBytes() < minBytes) {
            continue;
        }
        const MemoryTimeline& memory = *method.memory;
        for (const ArenaTimeline& arena : memory.arenas) {
            // The caller chooses the size of an input.
            const auto found = std::ranges::find_if(arena.peakTensors, [&](std::size_t index) {
                const TensorKind kind = memory.tensors[index].kind;
                return kind != TensorKind::Input && kind != TensorKind::Unused;
            });
            if (found == arena.peakTensors.end()) {
                continue;
            }
            const PlannedTensor& largest = memory.tensors[*found];
            const double share = static_cast<double>(largest.bytes) / static_cast<double>(memory.peakBytes());
            if (share < minPeakShare) {
                continue;
            }
            Finding finding = ofBytes(method, largest.bytes, share);
            addPlace(method, largest.producer, finding);
            finding.title = fmt::format(
                "one tensor takes {} of the peak of `{}`: {}, {}{}", format::readablePercent(share),
                core::printable(method.method->name), readableBytes(largest.bytes), largest.type,
                largest.producerName.empty() ? std::string()
                                             : fmt::format(" of {}", core::printable(largest.producerName)));
            finding.explanation = fmt::format(
                "The plan cannot be smaller than the tensors live {}: {}. Process smaller pieces at a time, "
                "or free the other tensors earlier.",
                stepText(memory, arena.peakStep), readableBytes(arena.peakBytes));
            out.push_back(std::move(finding));
        }
    }
}

void findFragmentation(const RuleInput& input, Findings& out) {
    for (const MethodInput& method : input.methods) {
        if (!method.memory || method.memory->plannedBytes() <= method.memory->peakBytes()) {
            continue;
        }
        const std::uint64_t planned = method.memory->plannedBytes();
        const std::uint64_t lost = planned - method.memory->peakBytes();
        const double share = static_cast<double>(lost) / static_cast<double>(planned);
        if (share < minFragmentation || lost < minBytes) {
            continue;
        }
        Finding finding = ofBytes(method, lost, share);
        finding.title = fmt::format("the memory plan of `{}` has {} more than its peak needs ({} of {})",
                                    core::printable(method.method->name), readableBytes(lost),
                                    format::readablePercent(share), readableBytes(planned));
        finding.explanation =
            "The plan leaves gaps between tensors. Another plan may pack them closer: 'et-inspect replan' "
            "searches for the smallest and writes it into the program.";
        out.push_back(std::move(finding));
    }
}

void findPlanOverlaps(const RuleInput& input, Findings& out) {
    for (const MethodInput& method : input.methods) {
        if (!method.memory || method.memory->overlaps.empty()) {
            continue;
        }
        const PlanOverlap& first = method.memory->overlaps.front();
        Finding finding = ofBytes(method, method.memory->tensors[first.second].bytes, 1);
        addPlace(method, method.memory->tensors[first.second].producer, finding);
        finding.title = fmt::format("the memory plan of `{}` overwrites live values: {}",
                                    core::printable(method.method->name), describe(first, *method.memory));
        finding.explanation =
            first.movedTo
                ? fmt::format(
                      "ExecuTorch's MoveCall does not copy: value {} shares the memory of value {}, which "
                      "the plan reuses before the last use of value {}, so results on the device are "
                      "wrong. 'et-inspect replan' writes a plan that keeps them apart.",
                      first.movedTo->value, method.memory->tensors[first.first].value.value,
                      first.movedTo->value)
                : "Two tensors share bytes while both are live, so results are wrong. Export again with "
                  "another memory planner.";
        out.push_back(std::move(finding));
    }
}

}  // namespace et::inspector::findings::detail
