#pragma once

#include "inspector/events/event_limits.h"
#include "inspector/join/event_blocks.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace et::inspector {

/// An operator in a roofline plot.
struct RooflinePoint {
    std::size_t block = 0;  ///< index into EventBlocks::blocks()
    std::size_t event = 0;  ///< index into Block::events
    std::size_t row = 0;    ///< index into the rows of events::eventRows()
    std::string name{};
    bool delegated = false;
    double operations = 0;
    double bytes = 0;
    double seconds = 0;             ///< measured time
    double share = 0;               ///< fraction (0 to 1) of the total time
    std::optional<double> least{};  ///< least time on the machine, in seconds; nothing: no machine profile
    std::optional<double> efficiency{};  ///< 0 to 1
    std::string boundBy{};

    /// Whether it can be plotted on both logarithmic axes.
    [[nodiscard]] bool hasPlace() const { return operations > 0 && bytes > 0 && seconds > 0; }
    [[nodiscard]] double intensity() const { return operations / bytes; }  ///< operations per byte
    [[nodiscard]] double gigaops() const { return operations / seconds / 1e9; }
};

/// Points for the events of a trace in seconds that have a limit and no sub-events with samples, in trace
/// order.
[[nodiscard]] std::vector<RooflinePoint> rooflinePoints(const EventBlocks& blocks,
                                                        const events::EventLimits& limits);

}  // namespace et::inspector
