#pragma once

#include "inspector/join/event_blocks.h"
#include "visualizers/selection.h"
#include "visualizers/timeline/lane.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace et::visualizers {

/// Something that happened once and is no part of a run: loading a program, initializing a method.
struct TimelineMarker {
    std::uint64_t start = 0;  ///< ticks from the timeline's origin
    std::uint64_t end = 0;
    std::string_view name;  ///< "Method::init"
};

/// The profile events of a trace over its clock: the outermost in lane 0, what they contain in the lanes
/// below. Times of spans count from `origin`. Immutable; holds the blocks it comes from.
struct Timeline {
    std::shared_ptr<const inspector::EventBlocks> blocks;
    std::uint64_t origin = 0;  ///< ticks of the trace's clock
    std::uint64_t length = 1;  ///< ticks, at least 1
    double ticksPerUnit = 1;   ///< of the blocks' target unit
    std::vector<Lane> lanes;
    std::vector<EventRef> rows;  ///< by trace event; {noBlock, 0} for those without a row
    /// Names of spans, each once, and by trace event which of them it has.
    std::vector<std::string_view> names;
    std::vector<std::uint32_t> nameIds;
    Lane runs{{}};  ///< executions, in order; Span::event is the place among Trace::runs()
    std::vector<TimelineMarker> markers;

    static constexpr std::size_t noBlock = ~std::size_t{0};

    /// Of a trace of hundreds of thousands of events it takes a moment.
    [[nodiscard]] static std::shared_ptr<const Timeline> build(
        std::shared_ptr<const inspector::EventBlocks> joined);

    [[nodiscard]] std::string_view nameOf(const Span& span) const { return names[nameIds[span.event]]; }
    [[nodiscard]] std::optional<EventRef> rowOf(const Span& span) const;
    /// The first span of a row; nothing where it has no samples.
    [[nodiscard]] std::optional<Span> spanOf(EventRef row) const;
    /// The execution that runs at a time, or the last before it; 0 where there is none.
    [[nodiscard]] std::size_t runAt(std::uint64_t time) const;
};

}  // namespace et::visualizers
