#include "app/tasks/verify/verify_settings.h"

#include "app/tasks/base/option_list.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

namespace et::tasks {
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
    for (const core::ScalarTypeInfo& each : core::scalarTypes()) {
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
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("{}: expected a non-negative number, or DTYPE=NUMBER, got '{}'", option, given));
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

/// Applies settings for all dtypes first, regardless of their order on the command line.
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

ModelOptions confinedModel() {
    ModelOptions model;
    model.sandbox = SandboxMode::Auto;
    return model;
}

Result<Tolerances> parseTolerances(const VerifySettings& settings) {
    Tolerances tolerances;
    ET_TRY(apply(tolerances, settings, true));
    ET_TRY(apply(tolerances, settings, false));
    return tolerances;
}

std::vector<std::string> arguments(const VerifySettings& settings, PathStyle style) {
    VerifySettings given = settings;
    given.toleranceFile.clear();
    given.model.timeoutSeconds.reset();
    return argumentsOf(std::move(given), &addVerifyOptions, style).options;
}

void addToleranceOptions(OptionList& options, VerifySettings& settings) {
    options.group("Tolerance");
    options.text("--rtol [DTYPE=]X", settings.relative,
                 "Relative tolerance, for all floating-point dtypes or for one (default: 1e-3, float16=1e-2, "
                 "bfloat16=2e-2) (repeatable)");
    options.text("--atol [DTYPE=]X", settings.absolute,
                 "Absolute tolerance, also for integers, for example int8=1 (default: 1e-5, float16=1e-3, "
                 "bfloat16=1e-2) (repeatable)");
}

void addVerifyOptions(OptionList& options, VerifySettings& settings) {
    options.group("Cases");
    options.text("--method NAME,...", settings.cases.methods, "Run only the cases of these methods");
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
    addTimeout(options, settings.model,
               "Kill the process of a file after this many seconds, and report an error");
}

}  // namespace et::tasks
