// Runs of a trace, stacked.
#include "inspector/format/quantities.h"
#include "visualizers/timeline/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::visualizers {

namespace {

/// The spans of a run in time order, outer ones first. Phases are dropped, because they are the run itself.
std::vector<Span> spansIn(const Timeline& all, const Span& run) {
    std::vector<Span> spans;
    for (std::size_t lane = 0; lane < all.lanes.size(); ++lane) {
        if (all.labels[lane].kind == LaneKind::Phases) {
            continue;
        }
        const auto of = all.lanes[lane].spans();
        for (auto each = std::ranges::lower_bound(of, run.start, {}, &Span::start);
             each != of.end() && each->end <= run.end; ++each) {
            spans.push_back({each->start - run.start, each->end - run.start, each->event});
        }
    }
    std::ranges::stable_sort(spans, [](const Span& a, const Span& b) {
        return std::pair(a.start, b.end) < std::pair(b.start, a.end);
    });
    return spans;
}

/// Spans that contain no other and do not overlap: work on several threads at once is counted once.
std::vector<Span> innermost(const std::vector<Span>& spans) {
    std::vector<Span> kept;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const bool contains =
            i + 1 < spans.size() && spans[i + 1].start < spans[i].end && spans[i + 1].end <= spans[i].end;
        if (!contains && (kept.empty() || kept.back().end <= spans[i].start)) {
            kept.push_back(spans[i]);
        }
    }
    return kept;
}

}  // namespace

std::shared_ptr<const Timeline> Timeline::stack(const Timeline& all) {
    const auto runs = all.runs.spans();
    if (runs.empty()) {
        return nullptr;
    }
    auto stack = std::make_shared<Timeline>();
    stack->blocks = all.blocks;
    stack->naming = all.naming;
    stack->ticksPerUnit = all.ticksPerUnit;
    stack->stacked = std::min(runs.size(), maxStacked);
    const auto scale = inspector::format::measureOf(all.blocks->options().target);
    for (std::size_t i = 0; i < stack->stacked; ++i) {
        const std::uint64_t length = runs[i].end - runs[i].start;
        stack->length = std::max(stack->length, length);
        stack->lanes.emplace_back(innermost(spansIn(all, runs[i])));
        stack->labels.push_back(
            {.kind = LaneKind::Steps,
             .title = fmt::format(
                 "run {} · {}", i + 1,
                 inspector::format::readable(static_cast<double>(length) / all.ticksPerUnit, scale))});
    }
    stack->runs = Lane({{.start = 0, .end = stack->length, .event = 0}});
    return stack;
}

}  // namespace et::visualizers
