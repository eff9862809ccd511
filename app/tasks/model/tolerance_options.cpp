#include "app/tasks/model/tolerance_options.h"

#include "app/tasks/base/option_list.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <system_error>

namespace et::tasks {
namespace {

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

Result<Allowance> parseAllowance(std::string_view given, std::string_view option) {
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
    std::vector<std::string> ToleranceOptions::* values;
    double Tolerance::* part;
};
constexpr std::array toleranceOptions{
    ToleranceOption{"--rtol", &ToleranceOptions::relative, &Tolerance::relative},
    ToleranceOption{"--atol", &ToleranceOptions::absolute, &Tolerance::absolute},
};

/// Applies settings for all dtypes first, regardless of their order on the command line.
Result<> apply(Tolerances& tolerances, const ToleranceOptions& settings, bool general) {
    for (const ToleranceOption& option : toleranceOptions) {
        for (const std::string& given : settings.*option.values) {
            ET_ASSIGN(const Allowance allowance, parseAllowance(given, option.name));
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

Result<Tolerances> parseTolerances(const ToleranceOptions& settings) {
    Tolerances tolerances;
    ET_TRY(apply(tolerances, settings, true));
    ET_TRY(apply(tolerances, settings, false));
    return tolerances;
}

void addToleranceOptions(OptionList& options, ToleranceOptions& settings) {
    options.group("Tolerance");
    options.text("--rtol [DTYPE=]X", settings.relative,
                 "Relative tolerance, for all floating-point dtypes or for one (default: 1e-3, float16=1e-2, "
                 "bfloat16=2e-2) (repeatable)");
    options.text("--atol [DTYPE=]X", settings.absolute,
                 "Absolute tolerance, also for integers, for example int8=1 (default: 1e-5, float16=1e-3, "
                 "bfloat16=1e-2) (repeatable)");
}

}  // namespace et::tasks
