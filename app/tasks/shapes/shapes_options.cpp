#include "app/tasks/base/file_options.h"
#include "app/tasks/base/option_list.h"
#include "app/tasks/shapes/shapes_run.h"

namespace et::tasks {

void addShapesOptions(OptionList& options, ShapesSettings& settings) {
    addModelFile(options, settings.model);
    options.group("Model");
    options.text("--method NAME", settings.options.method,
                 "Method to run (default: forward, or the only one)");
    addLibraryOptions(options, settings.options);
    addEmulationOptions(options, settings.options);
    options.group("Sizes");
    options.custom(
        "--dim NAME=FIRST..LAST[:STEP]", settings.ranges, &parseSizeRange, &sizeRangeText,
        "Measure these sizes of a dimension, with the export sizes of all others (default: 17 sizes of "
        "each of the first three) (repeatable)");
    options.offFlag("--no-checks", settings.checks, "Only measure");
    options.offFlag("--no-times", settings.curves, "Only check");
    options.integer(
        "--iterations", settings.iterations,
        "Number of measured executions in each of two launches (default: as many as fit into 0.2 seconds)",
        1);
    addSeed(options, settings.options);
    addLimitOptions(options, settings.options);
    addTimeout(options, settings.options, "Stop checking after this time: 90s, 5m");
    addSandbox(options, settings.options);
}

}  // namespace et::tasks
