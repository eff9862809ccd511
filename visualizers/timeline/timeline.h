#pragma once

#include "inspector/event_blocks.h"
#include "visualizers/selection.h"
#include "visualizers/timeline/lane.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace et::visualizers {

/// The profile events of a trace over its clock: the outermost in lane 0, what they contain in the lanes
/// below. Times of spans count from `origin`. Immutable; holds the blocks it comes from.
struct Timeline {
    std::shared_ptr<const inspector::EventBlocks> blocks;
    std::uint64_t origin = 0;  ///< ticks of the trace's clock
    std::uint64_t length = 1;  ///< ticks, at least 1
    double ticksPerUnit = 1;   ///< of the blocks' target unit
    std::vector<Lane> lanes;
    std::vector<EventRef> rows;  ///< by trace event; {noBlock, 0} for those without a row

    static constexpr std::size_t noBlock = ~std::size_t{0};

    /// Of a trace of hundreds of thousands of events it takes a moment.
    [[nodiscard]] static std::shared_ptr<const Timeline> build(
        std::shared_ptr<const inspector::EventBlocks> joined);

    [[nodiscard]] std::string_view nameOf(const Span& span) const;
    [[nodiscard]] std::optional<EventRef> rowOf(const Span& span) const;
    /// The first span of a row; nothing where it has no samples.
    [[nodiscard]] std::optional<Span> spanOf(EventRef row) const;
};

}  // namespace et::visualizers
