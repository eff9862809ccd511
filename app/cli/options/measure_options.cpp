#include "app/cli/options/measure_options.h"

namespace et::app {

void addMeasureOptions(OptionList& options, MeasureOptions& measure) {
    options.integer("--iterations", measure.iterations, "Number of measured executions (default: 50)", 1);
    options.integer("--warmup", measure.warmup,
                    "Number of warm-up executions (default: until times are steady, 8 to 200)");
}

}  // namespace et::app
