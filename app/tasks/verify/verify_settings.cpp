#include "app/tasks/verify/verify_settings.h"

#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

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
    for (const core::ScalarTypeTraits& each : core::scalarTypes()) {
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

}  // namespace

ModelOptions confinedModel() {
    ModelOptions model;
    model.sandbox = SandboxMode::Auto;
    return model;
}

Result<Tolerances> tolerancesOf(const VerifySettings& settings) {
    Tolerances tolerances;
    ET_TRY(apply(tolerances, settings, true));
    ET_TRY(apply(tolerances, settings, false));
    return tolerances;
}

std::vector<std::string> arguments(const VerifySettings& settings, PathStyle style) {
    ArgumentList list(style);
    for (const std::string& method : settings.cases.methods) {
        list.add("--method", method);
    }
    list.addIf("--case", settings.cases.testCase);
    if (settings.cases.iterations != 1) {
        list.add("--iterations", settings.cases.iterations);
    }
    for (const ToleranceOption& option : toleranceOptions) {
        list.addAll(option.name, settings.*option.values);
    }
    list.addIf("--steps", settings.limits.steps);
    list.addIf("--sqnr", settings.limits.sqnr);
    list.addIf("--cosine", settings.limits.cosine);
    if (settings.limits.top1) {
        list.argv.emplace_back("--top1");
    }
    addModelArguments(list, settings.model, SandboxMode::Auto);
    return list.argv;
}

}  // namespace et::tasks
