#pragma once

#include "inspector/join/event_blocks.h"

#include <cstdint>
#include <optional>
#include <string>

namespace et::app {

/// One run of a trace as a picture.
struct TimelinePicture {
    std::string svg;
    std::uint32_t run = 0;   ///< index into Trace::runs()
    std::size_t events = 0;  ///< of the run
    std::size_t drawn = 0;   ///< those that are long enough to be seen
};

/// The run of the largest block whose time is the median: events over time, in rows by how they nest, those
/// inside of delegates below. Nothing: no run has events with times.
[[nodiscard]] std::optional<TimelinePicture> timelinePicture(const inspector::EventBlocks& blocks);

/// The run of the largest block whose time is the median: what a timeline shows first. 0: no run has times.
[[nodiscard]] std::uint32_t medianRunOf(const inspector::EventBlocks& blocks);

}  // namespace et::app
