#include "app/tasks/compare/budget.h"

#include "inspector/join/event_blocks.h"
#include "inspector/join/percentile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace et::tasks {

using core::ErrorCode;
using core::Result;
using inspector::Comparison;
using inspector::Measurement;
using inspector::MethodComparison;
using inspector::Statistics;
using inspector::format::Measure;

struct BudgetQuantity {
    enum class Kind : std::uint8_t { Time, Bytes, Decibels, Number };

    std::string_view name;
    std::string_view meaning;
    Kind kind;
    /// Value of a method; null: see `ofAll`.
    double (*ofMethod)(const MethodComparison&) = nullptr;
    /// Returns nothing if B has no such value.
    std::optional<double> (*ofAll)(const Comparison&) = nullptr;
};

namespace {

using Kind = BudgetQuantity::Kind;

template <auto member>
double timeOf(const MethodComparison& method) {
    return inspector::summarize(method.b->total).*member;
}

template <int percent>
double percentileOfTime(const MethodComparison& method) {
    return inspector::computePercentile(method.b->total, percent / 100.0);
}

double computeRatio(const MethodComparison& method) {
    return method.total.ratio.value_or(std::numeric_limits<double>::quiet_NaN());
}

/// A value of zero means unknown.
template <auto member>
std::optional<double> ofSettings(const Comparison& comparison) {
    const auto& settings = comparison.b->settings;
    return settings && (*settings).*member > 0 ? std::optional(static_cast<double>((*settings).*member))
                                               : std::nullopt;
}

template <auto member>
std::optional<double> ofProgram(const Comparison& comparison) {
    const auto& program = comparison.b->program;
    return program && program->bytes > 0 ? std::optional(static_cast<double>((*program).*member))
                                         : std::nullopt;
}

/// The worst value over all outputs; `equal` for identical outputs.
template <class Metric>
std::optional<double> worstOutput(const Comparison& comparison, double equal, bool smallest, Metric metric) {
    std::optional<double> worst;
    for (const inspector::OutputComparison& output : comparison.outputs) {
        if (!output.equal && !output.elements) {
            return std::nullopt;
        }
        const double value = output.equal ? equal : metric(output.elements->metrics).value_or(equal);
        worst = !worst ? value : smallest ? std::min(*worst, value) : std::max(*worst, value);
    }
    return worst;
}

std::optional<double> worstSqnr(const Comparison& comparison) {
    return worstOutput(comparison, std::numeric_limits<double>::infinity(), true,
                       [](const auto& metrics) { return metrics.signalToNoiseDecibels; });
}
std::optional<double> worstCosine(const Comparison& comparison) {
    return worstOutput(comparison, 1, true, [](const auto& metrics) {
        return metrics.nonFinite > 0 ? std::optional(0.0) : metrics.cosineSimilarity;
    });
}
std::optional<double> worstError(const Comparison& comparison) {
    return worstOutput(comparison, 0, false, [](const auto& metrics) {
        return metrics.nonFinite > 0 ? std::optional(std::numeric_limits<double>::infinity())
                                     : metrics.maxAbsoluteError;
    });
}

constexpr std::array quantities{
    BudgetQuantity{"min", "fastest run of a method", Kind::Time, timeOf<&Statistics::minimum>},
    BudgetQuantity{"p50", "median time of a run", Kind::Time, timeOf<&Statistics::p50>},
    BudgetQuantity{"mean", "average time of a run", Kind::Time, timeOf<&Statistics::average>},
    BudgetQuantity{"p90", "90th percentile of the runs", Kind::Time, timeOf<&Statistics::p90>},
    BudgetQuantity{"p95", "95th percentile", Kind::Time, percentileOfTime<95>},
    BudgetQuantity{"p99", "99th percentile; with few runs, close to the slowest", Kind::Time,
                   percentileOfTime<99>},
    BudgetQuantity{"max", "slowest run", Kind::Time, timeOf<&Statistics::maximum>},
    BudgetQuantity{"ratio", "time of B divided by time of A", Kind::Number, computeRatio},
    BudgetQuantity{"load", "time to load the program", Kind::Time, nullptr,
                   ofSettings<&inspector::RunSettings::loadNanoseconds>},
    BudgetQuantity{"size", "bytes of the program", Kind::Bytes, nullptr,
                   ofProgram<&inspector::ProgramIdentity::bytes>},
    BudgetQuantity{"plan", "bytes planned by the method", Kind::Bytes, nullptr,
                   ofProgram<&inspector::ProgramIdentity::plannedBytes>},
    BudgetQuantity{"peak", "peak memory of the process", Kind::Bytes, nullptr,
                   ofSettings<&inspector::RunSettings::peakBytes>},
    BudgetQuantity{"sqnr", "SNR of B's worst output against A's", Kind::Decibels, nullptr, worstSqnr},
    BudgetQuantity{"cosine", "cosine similarity of the worst output", Kind::Number, nullptr, worstCosine},
    BudgetQuantity{"max_abs", "largest difference of an output", Kind::Number, nullptr, worstError},
};

struct Unit {
    std::string_view name;
    Kind kind;
    double factor;
};
constexpr std::array units{
    Unit{"ns", Kind::Time, 1},
    Unit{"us", Kind::Time, 1e3},
    Unit{"µs", Kind::Time, 1e3},
    Unit{"ms", Kind::Time, 1e6},
    Unit{"s", Kind::Time, 1e9},
    Unit{"B", Kind::Bytes, 1},
    Unit{"kB", Kind::Bytes, 1e3},
    Unit{"KB", Kind::Bytes, 1e3},
    Unit{"MB", Kind::Bytes, 1e6},
    Unit{"GB", Kind::Bytes, 1e9},
    Unit{"KiB", Kind::Bytes, 1024},
    Unit{"MiB", Kind::Bytes, 1048576},
    Unit{"GiB", Kind::Bytes, 1073741824},
    Unit{"dB", Kind::Decibels, 1},
};

std::unexpected<core::Error> expected(std::string_view text, std::string what) {
    return core::fail(ErrorCode::InvalidArgument,
                      fmt::format("expected {}, got '{}'", what, core::printable(text)));
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::string unitsOf(Kind kind) {
    std::vector<std::string_view> names;
    for (const Unit& unit : units) {
        if (unit.kind == kind && unit.name != "µs" && unit.name != "KB") {
            names.push_back(unit.name);
        }
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

/// Times require a unit, because they are ambiguous without one; bytes and decibels do not.
Result<double> limitOf(std::string_view given, const BudgetQuantity& quantity, std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), number);
    if (error != std::errc() || !std::isfinite(number)) {
        return expected(text, "a number after the relation");
    }
    const std::string_view unit = trimmed(given.substr(static_cast<std::size_t>(end - given.data())));
    if (unit.empty() && quantity.kind != Kind::Time) {
        return number;
    }
    const auto* const found = std::ranges::find_if(
        units, [&](const Unit& each) { return each.name == unit && each.kind == quantity.kind; });
    if (found == units.end()) {
        const std::string known = unitsOf(quantity.kind);
        return expected(text, known.empty() ? fmt::format("no unit for {}", quantity.name)
                                            : fmt::format("a unit for {} ({})", quantity.name, known));
    }
    return number * found->factor;
}

Measure measureOf(const BudgetQuantity& quantity) {
    return quantity.kind == Kind::Time    ? Measure::Nanoseconds
           : quantity.kind == Kind::Bytes ? Measure::Bytes
                                          : Measure::None;
}

BudgetCheck checked(const Budget& budget, std::string method, double value) {
    const bool beyond = budget.above ? value > budget.limit : value < budget.limit;
    return {.budget = budget,
            .method = std::move(method),
            .value = value,
            .unit = measureOf(*budget.quantity),
            .broken = beyond || (budget.orEqual && value == budget.limit) || std::isnan(value)};
}

std::unexpected<core::Error> cannotSay(const Budget& budget, const Measurement& side, std::string_view why) {
    return core::fail(ErrorCode::InvalidArgument,
                      fmt::format("--fail-if {}: {} is a {}, {}", budget.text, core::printable(side.name),
                                  inspector::name(side.source), why));
}

Result<> check(const Budget& budget, const Comparison& comparison, std::vector<BudgetCheck>& checks) {
    const BudgetQuantity& quantity = *budget.quantity;
    if (quantity.ofMethod == nullptr) {
        const std::optional<double> value = quantity.ofAll(comparison);
        if (!value) {
            return cannotSay(budget, *comparison.b,
                             fmt::format("which does not report its {}", quantity.name));
        }
        checks.push_back(checked(budget, "", *value));
        return {};
    }
    if (quantity.kind == Kind::Time && comparison.b->cycles) {
        return cannotSay(budget, *comparison.b, "whose clock ticks at an unknown rate");
    }
    for (const MethodComparison& method : comparison.methods) {
        checks.push_back(checked(budget, method.b->method, quantity.ofMethod(method)));
    }
    return {};
}

}  // namespace

Result<Budget> parseBudget(std::string_view text) {
    const std::size_t relation = text.find_first_of("<>");
    const std::string_view name = trimmed(text.substr(0, relation));
    const auto* const quantity = std::ranges::find(quantities, name, &BudgetQuantity::name);
    if (relation == std::string_view::npos || quantity == quantities.end()) {
        std::vector<std::string_view> names;
        std::ranges::transform(quantities, std::back_inserter(names), &BudgetQuantity::name);
        return expected(text,
                        fmt::format("a condition such as p50>5ms, with one of {}", fmt::join(names, ", ")));
    }
    Budget budget{.text = std::string(text), .quantity = quantity, .above = text[relation] == '>'};
    std::string_view rest = text.substr(relation + 1);
    if (rest.starts_with('=')) {
        budget.orEqual = true;
        rest.remove_prefix(1);
    }
    ET_ASSIGN(budget.limit, limitOf(trimmed(rest), *quantity, text));
    return budget;
}

std::vector<BudgetQuantityInfo> budgetQuantities() {
    std::vector<BudgetQuantityInfo> infos;
    for (const BudgetQuantity& each : quantities) {
        infos.push_back({each.name, each.meaning});
    }
    return infos;
}

Result<std::vector<BudgetCheck>> checkBudgets(std::span<const Budget> budgets, const Comparison& comparison) {
    std::vector<BudgetCheck> checks;
    for (const Budget& budget : budgets) {
        ET_TRY(check(budget, comparison, checks));
    }
    return checks;
}

std::string budgetLine(const BudgetCheck& check) {
    const bool decibels = check.budget.quantity->kind == Kind::Decibels;
    const std::string value = check.unit == Measure::None
                                  ? fmt::format("{:.4g}{}", check.value, decibels ? " dB" : "")
                                  : inspector::format::readable(check.value, check.unit);
    return fmt::format("{}{}{} is {} (fails if {})", core::printable(check.method),
                       check.method.empty() ? "" : ": ", check.budget.quantity->name, value,
                       core::printable(check.budget.text));
}

}  // namespace et::tasks
