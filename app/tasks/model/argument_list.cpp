#include "app/tasks/model/argument_list.h"

#include "app/tasks/base/option_list.h"

namespace et::tasks {
namespace {

void addChildOptions(OptionList& options, ModelOptions& model) {
    addLibraryOptions(options, model);
    addEmulationOptions(options, model);
    addSeed(options, model);
    addLimitOptions(options, model);
    addTimeout(options, model, {});
    addSandbox(options, model);
    addDeviceOptions(options, model);
}

}  // namespace

void addModelArguments(ArgumentList& list, const ModelOptions& model, SandboxMode sandbox) {
    ModelOptions given = model;
    given.timeoutSeconds.reset();
    given.on.deviceLog.clear();
    ModelOptions usual;
    usual.sandbox = sandbox;
    const CommandArguments arguments = argumentsOf(given, &addChildOptions, PathStyle::AsGiven, usual);
    list.argv.insert(list.argv.end(), arguments.options.begin(), arguments.options.end());
}

}  // namespace et::tasks
