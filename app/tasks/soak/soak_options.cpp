#include "app/tasks/base/option_list.h"
#include "app/tasks/sanitize/sanitize_options.h"
#include "app/tasks/soak/soak_run.h"

namespace et::tasks {
void addSoakOptions(OptionList& options, SoakSettings& settings) {
    options
        .file(
            "MODEL", settings.model,
            "Program (.pte), bundled program (.bpte) or package (.ptn); with --debug-buffer, a trace (.etdp)")
        .takesFiles({SessionFile::Bundle, SessionFile::Program, SessionFile::Trace})
        .mustBeGiven();
    addModelOptions(options, settings.options);
    options.group("Inputs");
    addCasesFile(options, settings.options);
    addSandbox(options, settings.options);
    addSanitize(options, settings.options.sanitize);
    addMemoryReport(options, settings.memoryReport);
    addTarget(options, settings.options);
    options.group("Executions");
    options.integer("--runs", settings.runs, "Number of rounds, of one to three executions (default: 500)",
                    1);
    options.duration("--time", settings.seconds, "Repeat for this time instead: 90s, 5m, 1h")
        .notWith("--runs");
    options
        .integer("--soak-threads", settings.threads,
                 "Number of threads in multithreaded executions (default: 4)", 1)
        .atMost(64);
}

}  // namespace et::tasks
