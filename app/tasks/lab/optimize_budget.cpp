#include "app/tasks/lab/optimize_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

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

struct BudgetName {
    std::string_view name;
    Kind kind;
};
constexpr std::array budgetNames{BudgetName{"time", Kind::Time}, BudgetName{"bytes", Kind::Bytes},
                                 BudgetName{"sqnr", Kind::Sqnr}};

}  // namespace

core::Result<OptimizeBudget> parseOptimizeBudget(std::string_view text) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const auto* const named = std::ranges::find(budgetNames, text.substr(0, equals), &BudgetName::name);
    const std::string_view value = text.substr(std::min(equals + 1, text.size()));
    double number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (named != budgetNames.end() && error == std::errc() && std::isfinite(number) && number > 0) {
        const std::string_view unit = value.substr(static_cast<std::size_t>(end - value.data()));
        const auto* const found = std::ranges::find_if(budgetUnits, [&](const BudgetUnit& each) {
            return each.kind == named->kind && each.name == unit;
        });
        if (found != budgetUnits.end()) {
            return OptimizeBudget{
                .kind = named->kind, .limit = number * found->factor, .text = std::string(text)};
        }
    }
    return core::fail(core::ErrorCode::InvalidArgument,
                      fmt::format("expected time=3ms (ns, us, ms, s), bytes=1M (B, K, M, G, kB, MB, "
                                  "GB) or sqnr=35dB, got \"{}\"",
                                  core::printable(text)));
}

}  // namespace et::tasks
