#include "app/cli/options/verify_options.h"

#include "app/cli/command_doc.h"
#include "app/cli/option_types.h"
#include "app/cli/options/model_options.h"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace et::cli {
namespace {

void addTolerance(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                  const std::string& help) {
    app.add_option(name, values, help)->type_name("[DTYPE=]X")->allow_extra_args(false)->take_all();
}

}  // namespace

void addToleranceOptions(CLI::App& app, VerifySettings& settings) {
    app.option_defaults()->group("Tolerance");
    addTolerance(app, "--rtol", settings.relative,
                 "Relative error that is allowed, of all floating dtypes or of one (default: 1e-3, "
                 "float16=1e-2, bfloat16=2e-2) (repeatable)");
    addTolerance(app, "--atol", settings.absolute,
                 "Absolute error that is allowed beside it; of whole numbers too, as in int8=1 (default: "
                 "1e-5, float16=1e-3, bfloat16=1e-2) (repeatable)");
}

void addVerifyOptions(CLI::App& app, VerifySettings& settings) {
    app.option_defaults()->group("Cases");
    app.add_option("--method", settings.cases.method, "Only the cases of this method (default: all)")
        ->type_name("NAME");
    addWhole(app, "--case", settings.cases.testCase, "Only the case of this number (default: all)");
    addWhole(app, "--iterations", settings.cases.iterations,
             "Times that all cases run; each time has to pass (default: 1)", 1);
    addToleranceOptions(app, settings);
    app.add_option("--tolerances", settings.toleranceFile,
                   "Tolerances of single files, as JSON: a list of {\"file\": NAME or pattern, \"rtol\": X, "
                   "\"atol\": "
                   "X}, or an object with such lists. --rtol and --atol win over it")
        ->type_name(fileValue);
    app.option_defaults()->group("Model");
    addLibraryOptions(app, settings.model);
    addEmulationOptions(app, settings.model);
    addSeed(app, settings.model);
    addLimitOptions(app, settings.model);
}

}  // namespace et::cli
