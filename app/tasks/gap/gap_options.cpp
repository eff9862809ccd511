#include "app/tasks/base/file_options.h"
#include "app/tasks/base/option_list.h"
#include "app/tasks/gap/gap_run.h"
#include "app/tasks/sanitize/sanitize_options.h"

namespace et::tasks {

void addGapOptions(OptionList& options, GapSettings& settings) {
    options.group("Files");
    options
        .file("FILE", settings.files,
              "ETRecord with a program, or with a trace and its debug buffer, in any order; distinguished "
              "by content, '-' is stdin")
        .takesFiles({SessionFile::Bundle, SessionFile::Program, SessionFile::Trace});
    addRecordFile(options, "--etrecord", settings.model.record,
                  "ETRecord of the export; unavailable backends are emulated from it");
    options.file("--program", settings.program, "Program (.pte) or bundled program (.bpte) to run")
        .takesFiles(anyProgram);
    options
        .file("--etdump", settings.trace, "Trace (ETDump) of a run on another device, instead of a program")
        .takesFiles({SessionFile::Trace});
    options.file("--debug-buffer", settings.debugBuffer, "Debug buffer of the trace")
        .takesFiles({SessionFile::DebugBuffer})
        .accompanies();
    addModelOptions(options, settings.model);
    addCase(options, settings.model);
    addSandbox(options, settings.model);
    addSanitize(options, settings.model.sanitize);
    addMemoryReport(options, settings.memoryReport);
    addTarget(options, settings.model);
    options.group("Inputs");
    options.text("--inputs LIST", settings.inputs, "Input sets to run, separated by commas (see below)");
    options.group("Comparison");
    options.flag("--bisect", settings.bisect,
                 "Find the first operator whose own error is not explained by rounding");
    options.number("--tolerance FACTOR", settings.tolerance,
                   "Allowed own error, as a multiple of the rounding error (default: 1)", "a positive number",
                   {.above = 0, .below = 1e9});
    options.choice(
        "--precision", settings.precision,
        choicesOf(inspector::gapPrecisions, &inspector::GapPrecisionInfo::precision),
        "Compute the reference in the exported dtypes, or with all floats in double (default: exported)");
    options
        .choice("--metric", settings.metric,
                choicesOf(inspector::gapMetrics, &inspector::GapMetricInfo::metric),
                "Metric of the gap column (default: mse)")
        .ignoresCase();
}

}  // namespace et::tasks
