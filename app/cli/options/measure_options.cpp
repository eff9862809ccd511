#include "app/cli/options/measure_options.h"

namespace et::app {

void addMeasureOptions(OptionList& options, MeasureOptions& measure) {
    options.integer(
        "--iterations", measure.iterations,
        "Measured executions of each program, over all its launches (default: 50; of two programs "
        "as many as a pilot finds best)",
        1);
    options.integer("--warmup", measure.warmup,
                    "Warm-up executions of each launch (default: until times are steady, 8 to 200)");
}

void addLaunchOptions(OptionList& options, MeasureOptions& measure) {
    options
        .integer(
            "--launches", measure.launches,
            "Launches of each of two programs, at most 40 (default: from 12 on until they are enough for the "
            "threshold, or the time limit is reached)",
            1)
        .atMost(MeasureOptions::maxLaunches);
    options
        .number(
            "--time-limit", measure.seconds,
            "Time for two programs, where --launches or --iterations do not say when to stop (default: 30)",
            "a positive number of seconds", [](double value) { return value > 0; })
        .takes("SECONDS");
}

}  // namespace et::app
