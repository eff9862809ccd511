#include "app/cli/options/measure_options.h"

namespace et::cli {

void addMeasureOptions(OptionList& options, tasks::MeasureOptions& measure) {
    options.integer("--iterations", measure.iterations,
                    "Number of measured executions of each program over all launches (default: 50; for two "
                    "programs chosen by a pilot run)",
                    1);
    options.integer("--warmup", measure.warmup,
                    "Number of warm-up executions per launch (default: until times are steady, 8 to 200)");
}

void addLaunchOptions(OptionList& options, tasks::MeasureOptions& measure) {
    options
        .integer("--launches", measure.launches,
                 "Number of launches of each of two programs, at most 40 (default: 12 or more, until the "
                 "threshold can be decided or the time limit is reached)",
                 1)
        .atMost(tasks::MeasureOptions::maxLaunches);
    options.number("--time-limit SECONDS", measure.seconds,
                   "Time limit for two programs without --launches or --iterations (default: 30)",
                   "a positive number of seconds", {.above = 0});
}

}  // namespace et::cli
