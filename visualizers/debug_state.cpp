#include "visualizers/debug_state.h"

#include <utility>

namespace et::visualizers {

void DebugState::setAvailable(bool available) {
    if (std::exchange(canDebug, available) != available) {
        emit availableChanged();
    }
}

void DebugState::setRunning(bool running) {
    if (std::exchange(isRunning, running) != running) {
        emit runningChanged();
    }
}

void DebugState::setPoint(std::optional<DebugPoint> point) {
    if (point != current) {
        current = std::move(point);
        emit pointChanged();
    }
}

void DebugState::setBreakpoints(std::vector<Breakpoint> breakpoints) {
    if (breakpoints != stops) {
        stops = std::move(breakpoints);
        emit breakpointsChanged();
    }
}

void DebugState::toggle(const BreakLocation& location) {
    if (canDebug) {
        emit toggled(location);
    }
}

}  // namespace et::visualizers
