#include "inspector/join/run_outliers.h"

#include "inspector/join/event_blocks.h"
#include "inspector/names/operator_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

namespace et::inspector::join::detail {
namespace {

/// Duration of a run in ticks; 0 if it has no timed event.
double durationOf(const etdump::Trace& trace, const etdump::Run& run) {
    const etdump::EventColumns& events = trace.events();
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t last = 0;
    for (etdump::EventIndex at = run.firstEvent; at < run.firstEvent + run.eventCount; ++at) {
        if (events.kind[at] != etdump::EventKind::Profile) {
            continue;
        }
        if (trace.text(events.name[at]) == names::detail::methodExecute) {
            return static_cast<double>(etdump::elapsedTicks(events.start[at], events.end[at]).value_or(0));
        }
        first = std::min(first, events.start[at]);
        last = std::max(last, events.end[at]);
    }
    return last > first ? static_cast<double>(last - first) : 0;
}

std::string warningOf(std::string_view block, const std::vector<std::uint32_t>& left, std::size_t all) {
    constexpr std::size_t listed = 8;
    const auto some = std::span(left).first(std::min(left.size(), listed));
    return fmt::format("block \"{}\": {} of {} runs took far longer than the others and are excluded: {}{}",
                       core::printable(block), left.size(), all, fmt::join(some, ", "),
                       left.size() > listed ? ", …" : "");
}

}  // namespace

std::vector<std::string> leaveOutOutliers(const etdump::Trace& trace, RunGroups& groups) {
    std::vector<std::string> warnings;
    for (RunGroup& group : groups.groups) {
        std::vector<double> durations;
        for (const std::uint32_t run : group.runs) {
            durations.push_back(durationOf(trace, trace.runs()[run]));
        }
        const double fence = outlierFence(durations);
        RunGroup kept = group;
        kept.runs.clear();
        kept.shapes.clear();
        std::vector<std::uint32_t> left;
        for (std::size_t i = 0; i < durations.size(); ++i) {
            if (durations[i] > fence) {
                left.push_back(group.runs[i]);
            } else {
                kept.runs.push_back(group.runs[i]);
                kept.shapes.push_back(group.shapes[i]);
            }
        }
        if (!left.empty()) {
            warnings.push_back(warningOf(trace.text(group.name), left, group.runs.size()));
            group = std::move(kept);
        }
    }
    return warnings;
}

}  // namespace et::inspector::join::detail
