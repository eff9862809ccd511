#include "app/tasks/base/file_options.h"
#include "app/tasks/base/option_list.h"
#include "app/tasks/reduce/reduce_run.h"

namespace et::tasks {

void addReduceOptions(OptionList& options, ReduceSettings& settings) {
    addModelFile(options, settings.model);
    options.group("Failure");
    options
        .text("--fails HOW", settings.failure,
              "gap, verify, crash, nan, slower (see below), or a command with {}")
        .mustBeGiven();
    options
        .text("--against TIME|TRACE", settings.than,
              "Baseline for slower: a time of an execution (5ms), or a trace of the program from when it was "
              "faster (default: the program without the plugins)")
        .takesFiles({SessionFile::Trace});
    addRecordFile(options, "--etrecord", settings.options.record,
                  "ETRecord of the export: gives expected values of parts, and source lines of operators");
    addModelOptions(options, settings.options);
    addCase(options, settings.options);
    addSandbox(options, settings.options);
    options.group("Output");
    options.path("-o,--output DIR", settings.folder, "Folder for the result; must not already contain one")
        .mustBeGiven();
    options.flag("--resume", settings.resume, "Continue an interrupted reduction");
}

}  // namespace et::tasks
