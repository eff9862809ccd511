#include "app/cli/options/measure_options.h"

#include "app/cli/option_types.h"

namespace et::cli {

void addMeasureOptions(CLI::App& app, MeasureOptions& options) {
    addWhole(app, "--iterations", options.iterations, "Executions of a program that count (default: 50)", 1);
    addWhole(app, "--warmup", options.warmup,
             "Executions before those (default: until the times are steady, 8 to 200)");
}

}  // namespace et::cli
