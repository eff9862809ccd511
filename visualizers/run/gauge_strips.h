#pragma once

#include "visualizers/run/gauge_history.h"

#include <QString>

#include <utility>
#include <vector>

namespace et::visualizers {

/// One quantity over the time of a run.
struct GaugeStrip {
    struct Point {
        double seconds = 0;
        double value = 0;
    };
    struct Band {
        double seconds = 0;
        double least = 0;
        double most = 0;
    };

    QString title;  ///< what it is, and how much now
    std::vector<std::vector<Point>> lines{};
    std::vector<Band> band{};     ///< behind the line; empty: none
    std::vector<double> marks{};  ///< seconds at which something happened to it
    double most = 0;              ///< the top of the picture; its bottom is 0
    QString mostText{};
};

/// Time of an execution, clock of each core, temperature and available memory: those that the device tells.
/// Marks of the temperature are moments at which cores were slowed down for their heat.
[[nodiscard]] std::vector<GaugeStrip> gaugeStrips(const GaugeHistory& history);

/// What is no picture, in one line: "12 executions · core 1 · slowed down 3 times · memory pressure 2.5 %".
[[nodiscard]] QString gaugeSummary(const GaugeHistory& history);

/// One moment: "at 3.2 s: 12.3 µs, 10.1 to 20.4 µs of 812 executions · 1.80 GHz · 61.0 °C".
[[nodiscard]] QString describe(const GaugeSample& sample);

}  // namespace et::visualizers
