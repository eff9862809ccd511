#include "app/tasks/verify/verify_settings.h"

#include "app/cli/command_doc.h"
#include "app/cli/option_types.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using bundled_program::Tolerance;
using bundled_program::Tolerances;
using core::ErrorCode;
using core::fail;
using core::Result;

/// One --rtol or --atol.
struct Allowance {
    std::optional<core::ScalarType> dtype;
    double number = 0;
};

Result<core::ScalarType> dtypeOf(std::string_view name, std::string_view option) {
    for (const core::ScalarTypeFacts& each : core::scalarTypes()) {
        if (each.torchName == name) {
            return static_cast<core::ScalarType>(each.code);
        }
    }
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: expected a dtype such as float16 or int8, got '{}'", option, name));
}

Result<Allowance> parse(std::string_view given, std::string_view option) {
    Allowance result;
    std::string_view number = given;
    if (const std::size_t equals = given.find('='); equals != std::string_view::npos) {
        ET_ASSIGN(result.dtype, dtypeOf(given.substr(0, equals), option));
        number = given.substr(equals + 1);
    }
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), result.number);
    if (error != std::errc() || end != number.data() + number.size() || !std::isfinite(result.number) ||
        result.number < 0) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{}: expected a number from 0 on, or DTYPE=NUMBER, got '{}'", option, given));
    }
    return result;
}

struct ToleranceOption {
    const char* name;
    std::vector<std::string> VerifySettings::* values;
    double Tolerance::* part;
};
constexpr std::array toleranceOptions{
    ToleranceOption{"--rtol", &VerifySettings::relative, &Tolerance::relative},
    ToleranceOption{"--atol", &VerifySettings::absolute, &Tolerance::absolute},
};

/// Sets what is for all dtypes first, whatever the order on the command line.
Result<> apply(Tolerances& tolerances, const VerifySettings& settings, bool general) {
    for (const ToleranceOption& option : toleranceOptions) {
        for (const std::string& given : settings.*option.values) {
            ET_ASSIGN(const Allowance allowance, parse(given, option.name));
            if (allowance.dtype.has_value() == general) {
                continue;
            }
            Tolerance value = general ? tolerances.ofAll() : tolerances.of(*allowance.dtype);
            value.*option.part = allowance.number;
            if (general) {
                tolerances.clearOverrides();
                tolerances.setGeneral(value);
            } else {
                tolerances.set(*allowance.dtype, value);
            }
        }
    }
    return {};
}

void addTolerance(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                  const std::string& help) {
    app.add_option(name, values, help)->type_name("[DTYPE=]X")->allow_extra_args(false)->take_all();
}

/// Option and value in one word, so that a value may begin with a dash.
class ArgumentList {
  public:
    explicit ArgumentList(PathStyle given) : style(given) {}

    template <class T>
    void add(std::string_view option, const T& value) {
        words.push_back(fmt::format("{}={}", option, value));
    }
    void add(std::string_view option, const fs::path& path) {
        std::error_code unknown;
        const fs::path absolute = style == PathStyle::Absolute ? fs::absolute(path, unknown) : path;
        words.push_back(fmt::format("{}={}", option, (unknown ? path : absolute).string()));
    }
    template <class T>
    void addAll(std::string_view option, const std::vector<T>& values) {
        for (const T& value : values) {
            add(option, value);
        }
    }
    template <class T>
    void addIf(std::string_view option, const std::optional<T>& value) {
        if (value) {
            add(option, *value);
        }
    }

    std::vector<std::string> words;

  private:
    PathStyle style;
};

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

Result<Tolerances> tolerancesOf(const VerifySettings& settings) {
    Tolerances tolerances;
    ET_TRY(apply(tolerances, settings, true));
    ET_TRY(apply(tolerances, settings, false));
    return tolerances;
}

std::vector<std::string> arguments(const VerifySettings& settings, PathStyle style) {
    ArgumentList list(style);
    if (!settings.cases.method.empty()) {
        list.add("--method", settings.cases.method);
    }
    list.addIf("--case", settings.cases.testCase);
    if (settings.cases.iterations != 1) {
        list.add("--iterations", settings.cases.iterations);
    }
    for (const ToleranceOption& option : toleranceOptions) {
        list.addAll(option.name, settings.*option.values);
    }
    list.addAll("--data", settings.model.tensorData);
    list.addAll("--plugin", settings.model.plugins);
    list.addAll("--backend-off", settings.model.backendsOff);
    if (!settings.model.record.empty()) {
        list.add("--etrecord", settings.model.record);
    }
    if (settings.model.emulate) {
        list.words.emplace_back("--emulate");
    }
    if (settings.model.threads != 1) {
        list.add("--threads", settings.model.threads);
    }
    if (settings.model.seed != 0) {
        list.add("--seed", settings.model.seed);
    }
    list.addIf("--max-memory", settings.model.memoryBytes);
    list.addIf("--max-instructions", settings.model.instructions);
    return list.words;
}

}  // namespace et::cli
