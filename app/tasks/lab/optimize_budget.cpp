#include "app/tasks/lab/optimize_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>

namespace et::tasks {
namespace {

using Kind = OptimizeBudget::Kind;

struct BudgetUnit {
    Kind kind;
    std::string_view name;
    double factor;
};
constexpr double kibi = 1024;
constexpr double kilo = 1000;
constexpr std::array budgetUnits{
    BudgetUnit{Kind::Time, "ns", 1},
    BudgetUnit{Kind::Time, "us", kilo},
    BudgetUnit{Kind::Time, "ms", kilo* kilo},
    BudgetUnit{Kind::Time, "s", kilo* kilo* kilo},
    BudgetUnit{Kind::Bytes, "", 1},
    BudgetUnit{Kind::Bytes, "B", 1},
    BudgetUnit{Kind::Bytes, "K", kibi},
    BudgetUnit{Kind::Bytes, "KiB", kibi},
    BudgetUnit{Kind::Bytes, "kB", kilo},
    BudgetUnit{Kind::Bytes, "M", kibi* kibi},
    BudgetUnit{Kind::Bytes, "MiB", kibi* kibi},
    BudgetUnit{Kind::Bytes, "MB", kilo* kilo},
    BudgetUnit{Kind::Bytes, "G", kibi* kibi* kibi},
    BudgetUnit{Kind::Bytes, "GiB", kibi* kibi* kibi},
    BudgetUnit{Kind::Bytes, "GB", kilo* kilo* kilo},
    BudgetUnit{Kind::Sqnr, "", 1},
    BudgetUnit{Kind::Sqnr, "dB", 1},
};
/// Units of error=, which is converted to SQNR.
constexpr std::array errorUnits{BudgetUnit{Kind::Sqnr, "%", 0.01}, BudgetUnit{Kind::Sqnr, "", 1}};

struct BudgetName {
    std::string_view name;
    Kind kind;
};
constexpr std::array budgetNames{BudgetName{"time", Kind::Time}, BudgetName{"bytes", Kind::Bytes},
                                 BudgetName{"sqnr", Kind::Sqnr}, BudgetName{"error", Kind::Sqnr}};

/// SQNR in dB of outputs whose root mean square error is this share of their root mean square.
double decibelsOf(double relativeError) {
    return -20 * std::log10(relativeError);
}

}  // namespace

core::Result<OptimizeBudget> parseOptimizeBudget(std::string_view text) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const auto* const named = std::ranges::find(budgetNames, text.substr(0, equals), &BudgetName::name);
    const std::string_view value = text.substr(std::min(equals + 1, text.size()));
    double number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (named != budgetNames.end() && error == std::errc() && std::isfinite(number) && number > 0) {
        const std::string_view unit = value.substr(static_cast<std::size_t>(end - value.data()));
        const bool isError = named->name == "error";
        const std::span<const BudgetUnit> units =
            isError ? std::span<const BudgetUnit>(errorUnits) : std::span<const BudgetUnit>(budgetUnits);
        const auto found = std::ranges::find_if(
            units, [&](const BudgetUnit& each) { return each.kind == named->kind && each.name == unit; });
        const double limit = found == units.end() ? 0 : number * found->factor;
        if (found != units.end() && (!isError || limit < 1)) {
            return OptimizeBudget{
                .kind = named->kind, .limit = isError ? decibelsOf(limit) : limit, .text = std::string(text)};
        }
    }
    return core::fail(core::ErrorCode::InvalidArgument,
                      fmt::format("expected time=3ms (ns, us, ms, s), bytes=1M (B, K, M, G, kB, MB, "
                                  "GB), sqnr=35dB or error=1%, got \"{}\"",
                                  core::printable(text)));
}

}  // namespace et::tasks
