#include "app/cli/options/verify_options.h"

#include "app/cli/options/model_options.h"

namespace et::cli {

void addToleranceOptions(OptionList& options, tasks::VerifySettings& settings) {
    options.group("Tolerance");
    options
        .text("--rtol", settings.relative,
              "Relative tolerance, for all floating-point dtypes or for one (default: 1e-3, float16=1e-2, "
              "bfloat16=2e-2) (repeatable)")
        .takes("[DTYPE=]X");
    options
        .text("--atol", settings.absolute,
              "Absolute tolerance, also for integers, for example int8=1 (default: 1e-5, float16=1e-3, "
              "bfloat16=1e-2) (repeatable)")
        .takes("[DTYPE=]X");
}

namespace {

void addLimitsOfOutputs(OptionList& options, tasks::VerifySettings& settings) {
    const auto isPositive = [](double number) { return number >= 0; };
    options
        .number("--steps", settings.limits.steps,
                "Allowed error of outputs in steps of their quantization (default for integer outputs: 3)",
                "a number of at least 0", isPositive)
        .takes("N");
    options
        .number("--sqnr", settings.limits.sqnr,
                "Required signal-to-quantization-noise ratio (default for other quantized outputs: 25)",
                "a number", [](double) { return true; })
        .takes("DB");
    options
        .number("--cosine", settings.limits.cosine, "Required cosine similarity", "a number from -1 to 1",
                [](double number) { return number >= -1 && number <= 1; })
        .takes("X");
    options.flag("--top1", settings.limits.top1,
                 "Require the largest element of every row at the expected index");
}

}  // namespace

void addVerifyOptions(OptionList& options, tasks::VerifySettings& settings) {
    options.group("Cases");
    options.text("--method", settings.cases.methods, "Run only the cases of these methods")
        .separatedByCommas()
        .takes("NAME,...");
    options.integer("--case", settings.cases.testCase, "Run only the case with this number");
    options.integer("--iterations", settings.cases.iterations,
                    "Run all cases this many times; every run must pass (default: 1)", 1);
    addToleranceOptions(options, settings);
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
    addTarget(options, settings.model);
}

}  // namespace et::cli
