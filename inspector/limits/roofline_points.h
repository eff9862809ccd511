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
    std::size_t row = 0;    ///< index into the rows of report::eventRows()
    std::string name{};
    bool delegated = false;
    double operations = 0;
    double bytes = 0;
    double seconds = 0;                  ///< that it took
    double share = 0;                    ///< part (0 to 1) of all times
    std::optional<double> least{};       ///< seconds that the machine needs; nothing: no machine is known
    std::optional<double> efficiency{};  ///< 0 to 1
    std::string boundBy{};

    /// Whether it did something that both axes can show.
    [[nodiscard]] bool hasPlace() const { return operations > 0 && bytes > 0 && seconds > 0; }
    [[nodiscard]] double intensity() const { return operations / bytes; }  ///< operations a byte
    [[nodiscard]] double gigaops() const { return operations / seconds / 1e9; }
};

/// The events of a trace in seconds that have a limit and no part with samples inside, in its order.
[[nodiscard]] std::vector<RooflinePoint> rooflinePoints(const EventBlocks& blocks,
                                                        const report::EventLimits& limits);

}  // namespace et::inspector
