#include "app/tasks/run/run_settings.h"

#include "app/tasks/base/option_list.h"

namespace et::tasks {

void addRunOptions(OptionList& options, RunSettings& settings) {
    options.file("MODEL", settings.program, "Program (.pte) or bundled program (.bpte)").mustBeGiven();
    addModelOptions(options, settings.model);
    addCase(options, settings.model);
    addEmulateFlag(options, settings.model);
    addSandbox(options, settings.model);
    addDeviceOptions(options, settings.model);
    options.group("Executions");
    options.integer("--iterations", settings.repetitions.measured, "Number of executions (default: 1)");
    options.integer("--warmup", settings.repetitions.warmup,
                    "Number of unrecorded warm-up executions (default: 0)");
    addTraceOptions(options, settings.trace);
}

void addBenchOptions(OptionList& options, BenchSettings& settings) {
    options
        .file("MODEL", settings.files,
              "Programs (.pte) or bundled programs (.bpte), external weights (.ptd) and an ETRecord, "
              "distinguished by content; '-' is stdin")
        .mustBeGiven();
    addModelOptions(options, settings.model,
                    {.threadCounts = &settings.threadCounts, .methods = &settings.methods});
    addCase(options, settings.model);
    addEmulationOptions(options, settings.model);
    addSandbox(options, settings.model);
    addDeviceOptions(options, settings.model);
    options.group("Executions");
    options.integer("--iterations", settings.repetitions.measured,
                    "Number of measured executions (default: 50)", 1);
    options.integer("--warmup", settings.repetitions.warmup, "Number of warm-up executions (default: 10)");
    options.group("Sizes");
    options.text("--dim", settings.dims, "Measure these sizes of a dynamic dimension (repeatable)")
        .takes("NAME=FIRST..LAST[:STEP]");
    options.group("Language models");
    options
        .text("--prompt-tokens", settings.promptTokens,
              "Measure prefill of prompts with these numbers of tokens")
        .separatedByCommas()
        .takes("N,...");
    options
        .text("--generate-tokens", settings.generateTokens,
              "Measure decoding of these numbers of tokens after each prompt")
        .separatedByCommas()
        .takes("N,...");
}

}  // namespace et::tasks
