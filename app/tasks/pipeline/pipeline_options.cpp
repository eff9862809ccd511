#include "app/tasks/base/option_list.h"
#include "app/tasks/pipeline/pipeline_run.h"

namespace et::tasks {

void addPipelineOptions(OptionList& options, PipelineSettings& settings) {
    options.group("Model");
    addRuntimeOptions(options, settings.model);
    options.group("Inputs");
    options.text("--input NAME=VALUE", settings.inputs,
                 "Replace an input of the manifest: a file (.npy, .wav or raw bytes), random, ones or zeros "
                 "(repeatable)");
    addLimitOptions(options, settings.model);
    addTimeout(options, settings.model,
               "Stop after this time (90s, 5m), at the next instruction (5 seconds later at the latest)");
    addSandbox(options, settings.model);
}

}  // namespace et::tasks
