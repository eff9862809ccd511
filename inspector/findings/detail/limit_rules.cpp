#include "inspector/findings/detail/rules.h"
#include "inspector/format/quantities.h"

#include <fmt/format.h>

namespace et::inspector::findings::detail {
namespace {

constexpr double minGain = 0.02;        // minimum possible gain, as a share of a run
constexpr double maxEfficiency = 0.35;  // of the minimum time; reached by a good kernel for a small operator

/// Advice depending on the limiting resource.
std::string remedy(const events::EventLimit& limit) {
    if (limit.boundBy == "compute") {
        return "It computes enough for each byte that it moves: a kernel that uses the vector units better "
               "(another layout, channels in multiples of the vector width, a backend's own operator) could "
               "be this much faster.";
    }
    return fmt::format(
        "It moves more than it computes: {} sets its minimum time. Fusing it with the operator before or "
        "after it avoids moving its values; a smaller dtype moves fewer bytes.",
        limit.boundBy == "memory" ? "memory bandwidth" : fmt::format("{} cache bandwidth", limit.boundBy));
}

Finding slowKernel(const RuleInput& input, const events::EventRow& row, const events::EventLimit& limit,
                   double time, double run) {
    const Event& event = *row.event;
    Finding finding;
    input.weigh(finding, time - *limit.attainable, run);
    locate(*row.block, event, finding);
    finding.title =
        fmt::format("{} reaches {} of this machine's limit: {} instead of {}",
                    operatorText(*row.block, event), format::readablePercent(*limit.efficiency(time)),
                    input.timeText(time), input.timeText(*limit.attainable));
    finding.explanation = remedy(limit);
    return finding;
}

}  // namespace

void findSlowKernels(const RuleInput& input, Findings& out) {
    if (input.session.blocks == nullptr || input.limits == nullptr) {
        return;
    }
    const events::EventRows events = events::eventRows(*input.session.blocks);
    for (const events::EventRow& row : events.rows) {
        const auto limit = input.limits->find(row.event);
        if (row.hasParts || limit == input.limits->end() || !limit->second.attainable) {
            continue;
        }
        const auto runs = static_cast<double>(events.blocks[row.blockAt].runs);
        const double time = row.typical / runs;
        const double run = events.blocks[row.blockAt].typical / runs;
        const auto efficiency = limit->second.efficiency(time);
        if (efficiency && *efficiency < maxEfficiency && time - *limit->second.attainable >= minGain * run) {
            out.push_back(slowKernel(input, row, limit->second, time, run));
        }
    }
}

}  // namespace et::inspector::findings::detail
