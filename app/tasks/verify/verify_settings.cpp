#include "app/tasks/verify/verify_settings.h"

#include "app/tasks/base/option_list.h"
#include "app/tasks/sanitize/sanitize_options.h"

#include <utility>

namespace et::tasks {
namespace {

void addLimitsOfOutputs(OptionList& options, VerifySettings& settings) {
    options.number("--steps N", settings.limits.steps,
                   "Allowed error of outputs in steps of their quantization (default for integer outputs: 3)",
                   "a number of at least 0", {.least = 0});
    options.number("--sqnr DB", settings.limits.sqnr,
                   "Required signal-to-quantization-noise ratio (default for other quantized outputs: 25)",
                   "a number", {});
    options.number("--cosine X", settings.limits.cosine, "Required cosine similarity",
                   "a number from -1 to 1", {.least = -1, .most = 1});
    options.flag("--top1", settings.limits.top1,
                 "Require the largest element of every row at the expected index");
}

}  // namespace

CommandArguments arguments(const VerifySettings& settings, PathStyle style) {
    VerifySettings given = settings;
    given.toleranceFile.clear();
    given.model.timeoutSeconds.reset();
    return argumentsOf(std::move(given), &addVerifyOptions, style);
}

void addSavedCases(OptionList& options, VerifySettings& settings) {
    options.path(
        "--save-failures DIR", settings.failures,
        "Save cases that do not pass to this folder: inputs, expected and actual outputs as .npy, and "
        "the command to rerun them");
    options
        .flag("--save-all", settings.saveAll,
              "Also save passing cases; with several iterations, the last one")
        .onlyWith("--save-failures");
}

void addVerifyOptions(OptionList& options, VerifySettings& settings) {
    options.group("Cases");
    options.text("--method NAME,...", settings.cases.methods,
                 "Run only the cases of these methods, several in this order");
    options.integer("--case", settings.cases.testCase, "Run only the case with this number");
    addCasesFile(options, settings.model);
    options.integer("--iterations", settings.cases.iterations,
                    "Run all cases this many times; every run must pass (default: 1)", 1);
    addToleranceOptions(options, settings.tolerances);
    addLimitsOfOutputs(options, settings);
    options.file("--tolerances", settings.toleranceFile,
                 "Tolerances per file, as JSON: a list of {\"file\": NAME or pattern, \"rtol\": X, \"atol\": "
                 "X}, or an object with such lists; --rtol and --atol take precedence");
    options.group("Model");
    addLibraryOptions(options, settings.model);
    addEmulationOptions(options, settings.model);
    addSeed(options, settings.model);
    addLimitOptions(options, settings.model);
    addSandbox(options, settings.model);
    addSanitize(options, settings.model.sanitize);
    addTarget(options, settings.model);
    addTimeout(options, settings.model,
               "Kill the process of a file after this time (90s, 5m), and report an error");
}

}  // namespace et::tasks
