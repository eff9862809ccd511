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

    QString title;  ///< name and current value
    std::vector<std::vector<Point>> lines{};
    std::vector<Band> band{};     ///< behind the line; empty: none
    std::vector<double> marks{};  ///< times of events in seconds
    double most = 0;              ///< top of the plot; the bottom is 0
    QString mostText{};
};

/// Execution time, clock of each core, temperature and available memory, as far as the device reports them.
/// Marks of the temperature are thermal throttling events.
[[nodiscard]] std::vector<GaugeStrip> gaugeStrips(const GaugeHistory& history);

/// Values without a plot, in one line: "12 executions · core 1 · slowed down 3 times · memory pressure 2.5
/// %".
[[nodiscard]] QString gaugeSummary(const GaugeHistory& history);

/// One sample: "at 3.2 s: 12.3 µs, 10.1 to 20.4 µs of 812 executions · 1.80 GHz · 61.0 °C".
[[nodiscard]] QString describe(const GaugeSample& sample);

}  // namespace et::visualizers
