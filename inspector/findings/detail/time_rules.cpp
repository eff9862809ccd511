#include "inspector/comparison/statistics.h"
#include "inspector/findings/detail/rules.h"
#include "inspector/format/quantities.h"
#include "inspector/names/operator_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace et::inspector::findings::detail {
namespace {

constexpr double hotShare = 0.2;
constexpr double minBetween = 0.05;
constexpr double slowFirst = 1.5;        // times the median of the other runs
constexpr double slowLoad = 10;          // times the median run
constexpr double unsteadySpread = 1.25;  // p90 / p50

double sumOf(std::span<const double> samples) {
    return std::accumulate(samples.begin(), samples.end(), 0.0);
}

/// " (p90 0.4 ms, 1 outlier)": spread of the samples; empty for a single one.
std::string spreadText(const RuleInput& input, const Event& event) {
    if (event.samples.size() < 2) {
        return {};
    }
    const std::size_t outliers = outlierCount(event.samples);
    const std::string marks =
        outliers == 0 ? std::string() : fmt::format(", {} outlier{}", outliers, outliers == 1 ? "" : "s");
    return fmt::format(" (p90 {}{})", input.timeText(event.statistics.p90), marks);
}

Finding hotOperator(const RuleInput& input, const events::EventRows& events, const events::EventRow& row,
                    double share) {
    const Event& event = *row.event;
    const auto runs = static_cast<double>(events.blocks[row.blockAt].runs);
    Finding finding;
    const double time = row.typicalSelf / runs;
    input.weigh(finding, time, time / share);
    locate(*row.block, event, finding);
    finding.title =
        fmt::format("{} takes {} of a run: {}{}", operatorText(*row.block, event),
                    format::readablePercent(share), input.timeText(time), spreadText(input, event));
    finding.explanation =
        "One operator takes this share of the time: making it faster (a smaller shape, a lower precision, a "
        "better kernel) helps the model more than any other change.";
    return finding;
}

}  // namespace

void findHotOperators(const RuleInput& input, Findings& out) {
    if (input.session.blocks == nullptr) {
        return;
    }
    const events::EventRows events = events::eventRows(*input.session.blocks);
    for (const events::EventRow& row : events.rows) {
        const auto share = events.selfShare(row);
        if (share && *share >= hotShare && !row.hasParts && row.event->chain >= 0) {
            out.push_back(hotOperator(input, events, row, *share));
        }
    }
}

void findTimeBetweenInstructions(const RuleInput& input, Findings& out) {
    for (const MethodInput& method : input.methods) {
        if (method.delegates == nullptr || !method.delegates->times || method.total <= 0) {
            continue;
        }
        const double other = method.delegates->times->other();
        if (other / method.total < minBetween) {
            continue;
        }
        Finding finding;
        input.weigh(finding, other, method.total);
        finding.method = method.method->name;
        finding.title =
            fmt::format("{} of a run of `{}` is spent between its instructions ({})", input.timeText(other),
                        core::printable(method.method->name), format::readablePercent(finding.share));
        finding.explanation =
            "Time of the interpreter and of tracing itself. It is the same for every instruction, so "
            "programs of many small operators are affected most: fuse or delegate them.";
        out.push_back(std::move(finding));
    }
}

void findSlowFirstRun(const RuleInput& input, Findings& out) {
    const Event* const execution = input.execution();
    // A language model's first run processes the prompt.
    if (execution == nullptr || execution->samples.size() < minSamples || input.language != nullptr) {
        return;
    }
    const double first = execution->samples.front();
    const double later = median(execution->samples.subspan(1));
    if (later <= 0 || first < slowFirst * later) {
        return;
    }
    Finding finding;
    input.weigh(finding, first - later, sumOf(execution->samples));
    finding.title = fmt::format("the first run takes {:.1f} times as long as the others: {} instead of {}",
                                first / later, input.timeText(first), input.timeText(later));
    finding.explanation =
        "Caches are cold, pages are read from disk and threads are started. Run once before it matters; "
        "exclude the first run from measurements.";
    out.push_back(std::move(finding));
}

void findSlowLoading(const RuleInput& input, Findings& out) {
    const Event* const execution = input.execution();
    const Event* const load = input.session.blocks == nullptr
                                  ? nullptr
                                  : maxSampled(*input.session.blocks, names::detail::loadMethod);
    if (execution == nullptr || load == nullptr || execution->statistics.p50 <= 0) {
        return;
    }
    const double runs = load->statistics.p50 / execution->statistics.p50;
    if (runs < slowLoad) {
        return;
    }
    Finding finding;
    input.weigh(finding, load->statistics.p50, load->statistics.p50 + sumOf(execution->samples));
    finding.title =
        fmt::format("loading takes as long as {:.0f} runs: {}", runs, input.timeText(load->statistics.p50));
    finding.explanation =
        "Delegates compile and pack their weights when a method is loaded. Keep the method loaded between "
        "runs; a backend's weight cache or packed weights in the file shorten loading.";
    out.push_back(std::move(finding));
}

void findUnsteadyRuns(const RuleInput& input, Findings& out) {
    const Event* const execution = input.execution();
    // Prefill and decode differ, as do positions.
    if (execution == nullptr || execution->samples.size() < 2 * minSamples || input.language != nullptr) {
        return;
    }
    const Statistics& all = execution->statistics;
    const bool wide = all.p50 > 0 && all.p90 > unsteadySpread * all.p50;
    const bool drift = drifts(execution->samples);
    if (!wide && !drift) {
        return;
    }
    Finding finding;
    input.weigh(finding, std::max(all.p90 - all.p50, 0.0), all.p90);
    finding.title = drift ? fmt::format("runs drift from first to last: p10 {}, p90 {}",
                                        input.timeText(all.p10), input.timeText(all.p90))
                          : fmt::format("runs differ: p90 is {:.2f} times p50 ({} and {})", all.p90 / all.p50,
                                        input.timeText(all.p90), input.timeText(all.p50));
    finding.explanation =
        "Small differences are indistinguishable from noise here. Fix the CPU frequency, stop other "
        "programs, warm up longer, and take more runs before comparing.";
    out.push_back(std::move(finding));
}

void findLoggedValues(const RuleInput& input, Findings& out) {
    if (input.session.blocks == nullptr) {
        return;
    }
    const auto& blocks = input.session.blocks->blocks();
    const bool logged = std::ranges::any_of(blocks, [](const Block& block) {
        return std::ranges::any_of(
            block.events, [](const Event& event) { return !event.debugEvents.empty() && event.chain >= 0; });
    });
    if (!logged || input.execution() == nullptr) {
        return;
    }
    constexpr double risk = 0.15;  // assumed: cannot be measured from this trace alone
    Finding finding;
    finding.share = risk;
    finding.title = "the trace logged intermediate values: its times are longer than those of plain runs";
    finding.explanation =
        "Copying every value costs time within the measured calls. Measure speed with a trace without debug "
        "events.";
    out.push_back(std::move(finding));
}

}  // namespace et::inspector::findings::detail
