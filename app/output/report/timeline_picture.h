#pragma once

#include "inspector/join/event_blocks.h"

#include <cstdint>
#include <optional>
#include <string>

namespace et::output {

/// One run of a trace as a picture.
struct TimelinePicture {
    std::string svg;
    std::uint32_t run = 0;   ///< index into Trace::runs()
    std::size_t events = 0;  ///< in the run
    std::size_t drawn = 0;   ///< long enough to be visible
};

/// The run of the largest block with the median time: events over time, in rows by nesting, with those inside
/// delegates below. Nothing if no run has events with times.
[[nodiscard]] std::optional<TimelinePicture> timelinePicture(const inspector::EventBlocks& blocks);

/// The run of the largest block with the median time, which a timeline shows first. 0 if no run has times.
[[nodiscard]] std::uint32_t findMedianRun(const inspector::EventBlocks& blocks);

}  // namespace et::output
