#include "app/tasks/debug/debug_settings.h"

#include "app/tasks/base/option_list.h"

namespace et::tasks {

void addDebugOptions(OptionList& options, DebugSettings& settings) {
    options.group("Arguments");
    options.file("MODEL", settings.model, "Program (.pte), bundled program (.bpte) or package (.ptn)");
    options.file("ETRECORD", settings.options.record,
                 "ETRecord of the program: modules, lines of Python, and the reference values");
    addModelOptions(options, settings.options);
    addCase(options, settings.options);
    options.group("Recording");
    options.integer(
        "--budget BYTES", settings.budgetBytes,
        "Maximum memory for snapshots in bytes (default: 1 GiB); beyond it, going back takes longer", 1);
    options.file("--recording", settings.recording, "Open the executions that 'save' wrote to this file");
    addSandbox(options, settings.options);
}

core::Result<InputSet> debugInputs(const Model& model, const program::Method& method,
                                   const DebugSettings& settings, const std::vector<std::string>& given) {
    ModelOptions options = settings.options;
    if (!given.empty()) {
        options.inputs = given;
    }
    if (!options.inputs.empty()) {
        return model.givenInputs(method, options);
    }
    // Bundles have cases for some methods only.
    const auto* const suite = model.bundle ? model.bundle->findSuite(method.name) : nullptr;
    if (model.bundle && (options.testCase || (suite != nullptr && !suite->cases.empty()))) {
        return bundledInputs(*model.bundle, method.name, options.testCase.value_or(0));
    }
    if (options.testCase) {
        return core::fail(core::ErrorCode::InvalidArgument, "--case needs a bundled program (.bpte)");
    }
    return randomInputs(method, options.seed, model.limits.memoryBytes);
}

}  // namespace et::tasks
