#include "visualizers/timeline/timeline_difference.h"

#include <map>
#include <string_view>
#include <tuple>

namespace et::visualizers {

namespace {

using EventKey = std::tuple<std::int64_t, std::int32_t, std::string_view>;

EventKey keyOf(const inspector::Event& event) {
    return {event.chain, event.instruction.value, event.name};
}

/// Medians by event, from the first block that contains it.
std::map<EventKey, double> computeMedians(const inspector::EventBlocks& blocks) {
    std::map<EventKey, double> medians;
    for (const inspector::Block& block : blocks.blocks()) {
        for (const inspector::Event& event : block.events) {
            if (!event.samples.empty()) {
                medians.try_emplace(keyOf(event), event.statistics.p50);
            }
        }
    }
    return medians;
}

}  // namespace

TimelineDifference::TimelineDifference(const Timeline& of, const Timeline& other) {
    const bool same = of.blocks == other.blocks;
    const std::map<EventKey, double> medians =
        same ? std::map<EventKey, double>() : computeMedians(*other.blocks);
    for (const inspector::Block& block : of.blocks->blocks()) {
        std::vector<double>& all = ticks.emplace_back();
        for (const inspector::Event& event : block.events) {
            const auto found = medians.find(keyOf(event));
            const double median = same ? event.statistics.p50 : found == medians.end() ? 0 : found->second;
            all.push_back(median * of.ticksPerUnit);
        }
    }
}

std::optional<double> TimelineDifference::ticksOf(const Timeline& of, const Span& span) const {
    const auto row = of.rowOf(span);
    if (!row || row->block >= ticks.size() || ticks[row->block][row->event] <= 0) {
        return std::nullopt;
    }
    return ticks[row->block][row->event];
}

std::optional<double> TimelineDifference::changeOf(const Timeline& of, const Span& span) const {
    const auto elsewhere = ticksOf(of, span);
    return elsewhere ? std::optional(static_cast<double>(span.end - span.start) / *elsewhere - 1)
                     : std::nullopt;
}

}  // namespace et::visualizers
