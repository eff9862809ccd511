#include "app/cli/options/model_options.h"

#include "app/cli/command_doc.h"
#include "app/cli/option_types.h"

#include <CLI/CLI.hpp>

namespace et::cli {

void addModelOptions(CLI::App& app, ModelOptions& options) {
    app.option_defaults()->group("Model");
    app.add_option("--method", options.method, "Method to run (default: forward, or the only one)")
        ->type_name("NAME");
    addLibraryOptions(app, options);

    app.option_defaults()->group("Inputs");
    addRepeatable(
        app, "--input", options.inputs,
        "The next input: a file (.npy, .pt, or raw bytes), random, ones, zeros, none or a number. One "
        "word alone is for all inputs")
        ->type_name("VALUE");
    addWhole(app, "--case", options.testCase,
             "Take the inputs of this case of a bundled program (default: 0, without --input)");
    addSeed(app, options);

    addLimitOptions(app, options);
    addTimeout(app, options,
               "End after so many seconds, at the next instruction; 5 seconds later in any case");
}

void addLibraryOptions(CLI::App& app, ModelOptions& options) {
    addRepeatable(app, "--data", options.tensorData, "Tensor data that the program lies without (.ptd)")
        ->type_name(fileValue);
    addRepeatable(app, "--plugin", options.plugins,
                  "Shared library with operators or backends of your own; they win over those built in")
        ->type_name(fileValue);
    addRepeatable(app, "--backend-off", options.backendsOff,
                  "Do as if this backend were not there: programs that need it do not load")
        ->type_name("NAME");
    addWhole(app, "--threads", options.threads, "Threads to compute with; 0: one a processor (default: 1)");
}

void addSeed(CLI::App& app, ModelOptions& options) {
    addWhole(app, "--seed", options.seed, "Where random numbers start (default: 0)");
}

void addEmulationOptions(CLI::App& app, ModelOptions& options) {
    app.option_defaults()->group("Model");
    app.add_option(
           "--etrecord", options.record,
           "ETRecord of the program: the delegates of backends that are not here are computed from it, "
           "which says nothing of their speed")
        ->type_name(fileValue);
    addEmulateFlag(app, options);
}

void addEmulateFlag(CLI::App& app, ModelOptions& options) {
    app.option_defaults()->group("Model");
    app.add_flag("--emulate", options.emulate,
                 "Compute delegates of missing backends from the ETRecord beside the program");
}

void addLimitOptions(CLI::App& app, ModelOptions& options) {
    app.option_defaults()->group("Limits");
    addWhole(app, "--max-memory", options.memoryBytes,
             "Most memory for planned and growing tensors, in bytes (default: 8 GiB)", 1)
        ->type_name("BYTES");
    addWhole(app, "--max-instructions", options.instructions,
             "Most instructions of one execution (default: 1,000,000)", 1);
}

void addTimeout(CLI::App& app, ModelOptions& options, const std::string& help) {
    const auto setTimeout = [&options](const double& seconds) { options.timeoutSeconds = seconds; };
    restrictToNumber(app.add_option_function<double>("--timeout", setTimeout, help)->type_name("S"),
                     "a number of seconds above 0",
                     [](double seconds) { return seconds > 0 && seconds < 1e9; });
}

}  // namespace et::cli
