#include "app/tasks/model/argument_list.h"

namespace et::tasks {

void addModelArguments(ArgumentList& list, const ModelOptions& model, SandboxMode sandbox) {
    list.addAll("--data", model.tensorData);
    list.addAll("--plugin", model.plugins);
    list.addAll("--backend-off", model.backendsOff);
    if (!model.record.empty()) {
        list.add("--etrecord", model.record);
    }
    if (model.emulate) {
        list.argv.emplace_back("--emulate");
    }
    if (model.threads != 1) {
        list.add("--threads", model.threads);
    }
    if (model.seed != 0) {
        list.add("--seed", model.seed);
    }
    if (model.executionSeconds != ModelOptions().executionSeconds) {
        list.add("--max-time", model.executionSeconds);
    }
    if (model.on.isElsewhere()) {
        list.add("--on", model.on.target);
    }
    if (!model.on.keepIf.empty()) {
        list.add("--keep-if", model.on.keepIf);
        list.add("--keep-last", model.on.keepLast);
    }
    if (model.sandbox != sandbox) {
        list.add("--sandbox", model.sandbox == SandboxMode::On     ? "on"
                              : model.sandbox == SandboxMode::Auto ? "auto"
                                                                   : "off");
    }
    list.addIf("--max-memory", model.memoryBytes);
    list.addIf("--max-instructions", model.instructions);
}

}  // namespace et::tasks
