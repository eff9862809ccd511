#include "app/output/compare/report_tables.h"

#include "inspector/comparison/statistics_power.h"
#include "inspector/program_diff/program_diff_report.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

namespace et::output {
namespace {

using inspector::Comparison;
using inspector::ComparisonRow;
using inspector::Interval;
using inspector::Measurement;
using inspector::MethodComparison;
using inspector::MethodTimes;
using inspector::TimeTest;

constexpr std::array changeColumns{
    CompareColumn{"operator", "operator",
                  "(total): a whole execution; operators are sorted by their contribution to it", false},
    CompareColumn{"instruction", "instruction", "index in the method; both if A and B differ", true},
    CompareColumn{"module", "module", "module of the operator, with an ETRecord", false},
    CompareColumn{"kind", "kind", "the time of a delegate call includes the operators inside it", false},
    CompareColumn{"a", "A", "median of the runs of A; with several launches: of the faster half of each",
                  true, true},
    CompareColumn{"b", "B", "the same for B", true, true},
    CompareColumn{"difference", "B - A",
                  "contribution of the operator to an execution, computed from the change", true, true},
    CompareColumn{"change", "change",
                  "change in time, in percent; with several launches: between pairs, and for operators only "
                  "the part beyond chance",
                  true},
    CompareColumn{"interval", "interval", "confidence interval of the change", true},
    CompareColumn{"verdict", "verdict",
                  "slower or faster: by more than the threshold, beyond chance; same: within it; undecided: "
                  "too few samples, with the number of runs needed; added, removed: on one side only",
                  false},
};

constexpr double inPercent = 100;

Measure measureOfTimes(const Measurement& side) {
    return side.cycles ? Measure::Cycles : Measure::Nanoseconds;
}

std::string change(double ratio) {
    return readableChange(ratio);
}

std::string interval(const Interval& ratios) {
    // Above this, the median of A is close to zero in some resamples.
    constexpr double largest = 1e6;
    return fmt::format("[{}, {}]", change(ratios.low),
                       ratios.high < largest ? change(ratios.high) : std::string("inf"));
}

/// Names of a row.
struct RowName {
    std::string name;
    std::string instruction{};
    std::string module{};
    std::string_view kind{};
};

/// Returns "3", or "3 -> 5" if the sides differ.
std::string instructionText(const ComparisonRow& row) {
    const auto numberOf = [](const inspector::OperatorTimes* side) {
        return side == nullptr || side->instruction.value < 0 ? std::string()
                                                              : std::to_string(side->instruction.value);
    };
    const std::string a = numberOf(row.a);
    const std::string b = numberOf(row.b);
    return a.empty() || b.empty() || a == b ? (b.empty() ? a : b) : fmt::format("{} -> {}", a, b);
}

RowName nameOf(const ComparisonRow& row) {
    const auto& shown = row.shown();
    const std::string& module = shown.module.empty() && row.a != nullptr ? row.a->module : shown.module;
    return {.name = std::string(row.name()),
            .instruction = instructionText(row),
            .module = module,
            .kind = inspector::name(shown.kind)};
}

std::vector<Cell> cells(const RowName& of, const TimeTest& test, std::string_view verdict) {
    return {core::printable(of.name),
            of.instruction,
            core::printable(of.module),
            std::string(of.kind),
            test.countA == 0 ? Cell() : Cell(test.medianA),
            test.countB == 0 ? Cell() : Cell(test.medianB),
            test.difference,
            test.ratio && test.countB > 0 ? change(*test.ratio) : "",
            test.ratioInterval ? interval(*test.ratioInterval) : "",
            std::string(verdict)};
}

/// Returns "slower" or "undecided (about 120 runs)".
std::string verdictOf(const TimeTest& test) {
    if (test.verdict == inspector::TimeVerdict::Undecided && test.runsToDecide) {
        return fmt::format("undecided (about {} runs)", *test.runsToDecide);
    }
    if (test.verdict == inspector::TimeVerdict::Undecided && test.launchesToDecide) {
        return fmt::format("undecided (about {} launches)", *test.launchesToDecide);
    }
    return std::string(name(test.verdict));
}

std::string verdictOf(const ComparisonRow& row) {
    return row.a == nullptr || row.b == nullptr ? std::string(name(row.alignment)) : verdictOf(row.test);
}

/// Executions of all methods and phases.
std::optional<std::uint64_t> runsOf(const Measurement& side) {
    std::uint64_t runs = 0;
    for (const MethodTimes& method : side.methods) {
        runs += method.total.size();
    }
    return side.methods.empty() ? std::nullopt : std::optional(runs);
}

std::size_t launchesOf(const Measurement& side) {
    return side.methods.empty() ? 0 : std::max<std::size_t>(1, side.methods.front().launches.size());
}

/// A numeric property of a program or its run.
struct Property {
    const char* name;
    std::optional<std::uint64_t> (*of)(const Measurement& side);
    Measure measure = Measure::None;

    [[nodiscard]] std::string text(const std::optional<std::uint64_t>& value) const {
        if (!value) {
            return {};
        }
        return measure == Measure::None ? fmt::format("{}", *value)
                                        : readable(static_cast<double>(*value), measure);
    }
};

template <auto member>
std::optional<std::uint64_t> programNumber(const Measurement& side) {
    return side.program ? std::optional(*side.program.*member) : std::nullopt;
}

template <auto member>
std::optional<std::uint64_t> settingsNumber(const Measurement& side) {
    return side.settings && *side.settings.*member != 0 ? std::optional(*side.settings.*member)
                                                        : std::nullopt;
}

constexpr std::array properties{
    Property{"program", &programNumber<&inspector::ProgramIdentity::bytes>, Measure::Bytes},
    Property{"planned memory", &programNumber<&inspector::ProgramIdentity::plannedBytes>, Measure::Bytes},
    Property{"instructions", &programNumber<&inspector::ProgramIdentity::instructions>},
    Property{"delegate calls", &programNumber<&inspector::ProgramIdentity::delegates>},
    Property{"load", &settingsNumber<&inspector::RunSettings::loadNanoseconds>, Measure::Nanoseconds},
    Property{"peak memory", &settingsNumber<&inspector::RunSettings::peakBytes>, Measure::Bytes},
};

std::string number(const std::optional<double>& value) {
    return value ? fmt::format("{:.4g}", *value) : "";
}

}  // namespace

void addProgramChanges(CompareReport& report, const inspector::ProgramDiff& diff, bool all,
                       const Style& style) {
    report.programInfo = inspector::programDiffInfo(diff, false);
    if (!diff.same()) {
        constexpr int heading = 3;
        report.programText = inspector::programDiffText(diff, all, style);
        report.programMarkdown = "\n" + inspector::programDiffMarkdown(diff, heading);
    }
}

std::span<const CompareColumn> compareColumns() {
    return changeColumns;
}

namespace {

/// Removes a column that is empty in all rows.
void dropWhereEmpty(Table& table, std::string_view id) {
    const auto column = std::ranges::find(table.columns, id, &Column::id);
    const auto at = column - table.columns.begin();
    const bool isEmpty = std::ranges::all_of(table.rows, [at](const auto& row) {
        return std::get<std::string>(row[static_cast<std::size_t>(at)]).empty();
    });
    if (isEmpty) {
        table.columns.erase(column);
        for (auto& row : table.rows) {
            row.erase(row.begin() + at);
        }
    }
}

}  // namespace

Table operatorsTable(const CompareReport& report, const MethodComparison& method, std::size_t& left) {
    const Measure times = measureOfTimes(*report.comparison.a);
    Table table{.columns = {}, .indexed = false};
    for (const CompareColumn& column : changeColumns) {
        table.columns.push_back({.id = column.id,
                                 .header = column.header,
                                 .numeric = column.numeric,
                                 .measure = column.isTime ? times : Measure::None});
    }
    table.rows.push_back(cells({.name = "(total)"}, method.total, verdictOf(method.total)));
    const std::size_t max =
        report.maxRows == 0 ? method.rows.size() : std::min(report.maxRows, method.rows.size());
    for (const ComparisonRow& row : std::span(method.rows).first(max)) {
        table.rows.push_back(cells(nameOf(row), row.test, verdictOf(row)));
    }
    dropWhereEmpty(table, "module");
    left = method.rows.size() - max;
    return table;
}

Table programTable(const Comparison& comparison) {
    Table table{.columns = {textColumn("property", "program"), numberColumn("a", "A"), numberColumn("b", "B"),
                            numberColumn("change")},
                .indexed = false};
    for (const Property& each : properties) {
        const auto a = each.of(*comparison.a);
        const auto b = each.of(*comparison.b);
        if (!a && !b) {
            continue;
        }
        table.rows.push_back(
            {std::string(each.name), each.text(a), each.text(b),
             a && b && *a > 0 ? change(static_cast<double>(*b) / static_cast<double>(*a)) : ""});
    }
    return table;
}

Table outputsTable(const Comparison& comparison) {
    Table table{.columns = {numberColumn("output"), textColumn("type"), textColumn("verdict"),
                            textColumn("mismatches"), numberColumn("max_abs", "max abs"),
                            numberColumn("max_rel", "max rel"), numberColumn("snr", "SNR (dB)")},
                .indexed = false};
    for (const inspector::OutputComparison& each : comparison.outputs) {
        std::vector<Cell> row{static_cast<std::uint64_t>(each.index)};
        if (each.elements) {
            const auto& metrics = each.elements->metrics;
            row.emplace_back(each.elements->type);
            row.emplace_back(std::string(each.equal                ? "equal"
                                         : each.elements->agrees() ? "close"
                                                                   : "different"));
            row.emplace_back(fmt::format("{}/{}", each.elements->mismatches, each.elements->elements));
            row.emplace_back(number(metrics.maxAbsoluteError));
            row.emplace_back(number(metrics.maxRelativeError));
            row.emplace_back(each.equal ? "inf" : number(metrics.signalToNoiseDecibels));
        } else {
            row.emplace_back(std::string());
            row.emplace_back(std::string(each.equal ? "equal" : "different"));
            row.insert(row.end(), 4, Cell(std::string()));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string sideLine(const Measurement& side) {
    std::string line = fmt::format("{}: {}", core::printable(side.name), name(side.source));
    if (const auto runs = runsOf(side)) {
        line += fmt::format(", {} run{}", *runs, *runs == 1 ? "" : "s");
    }
    if (const std::size_t launches = launchesOf(side); launches > 1) {
        line += fmt::format(" in {} launches", launches);
    }
    if (side.settings && side.settings->warmup > 0) {
        line += fmt::format(" after {} warm-up executions{}", side.settings->warmup,
                            side.settings->warmupDetected ? " (until steady)" : "");
    }
    if (side.settings && side.settings->threads > 0) {
        line += fmt::format(", {} thread{}", side.settings->threads, side.settings->threads == 1 ? "" : "s");
    }
    return line;
}

std::string verdictLine(const CompareReport& report, const MethodComparison& method) {
    const TimeTest& test = method.total;
    const Measure times = measureOfTimes(*report.comparison.a);
    std::string line = fmt::format("{}: {}: {} -> {}", core::printable(method.b->method), name(test.verdict),
                                   readable(test.medianA, times), readable(test.medianB, times));
    if (test.ratio && test.ratioInterval) {
        line += fmt::format(", {} {}", change(*test.ratio), interval(*test.ratioInterval));
    }
    line += fmt::format(" (threshold {:.4g} %)", report.comparison.options.test.threshold * inPercent);
    if (test.reason != inspector::UndecidedReason::None) {
        line += fmt::format("; {}", text(test.reason));
    }
    if (test.runsToDecide) {
        line += fmt::format(": about {} runs of each are needed to decide", *test.runsToDecide);
    }
    if (test.launchesToDecide) {
        line += fmt::format(": about {} launches of each are needed to decide", *test.launchesToDecide);
    }
    return line;
}

std::string launchesLine(const CompareReport& report) {
    const Comparison& comparison = report.comparison;
    if (!comparison.betweenLaunches()) {
        return "the verdict does not account for differences between launches; comparing two programs does";
    }
    const auto& load = comparison.a->otherLoad;
    return load && load->isMuch() ? fmt::format("other load: {}", text(*load)) : std::string();
}

std::string outputsLine(const CompareReport& report) {
    const auto& outputs = report.comparison.outputs;
    if (outputs.empty()) {
        return {};
    }
    const auto different = std::ranges::count_if(outputs, [](const inspector::OutputComparison& each) {
        return each.elements ? !each.elements->agrees() : !each.equal;
    });
    const auto equal = std::ranges::count_if(outputs, &inspector::OutputComparison::equal);
    return fmt::format("outputs: {} equal, {} within tolerance, {} different", equal,
                       std::ssize(outputs) - equal - different, different);
}

bool CompareReport::overBudget() const {
    return std::ranges::any_of(budgets, &tasks::BudgetCheck::broken);
}

bool CompareReport::slower() const {
    if (failOn == tasks::FailOn::Never) {
        return false;
    }
    const bool operators = failOn == tasks::FailOn::Operator &&
                           std::ranges::any_of(comparison.methods, [](const MethodComparison& method) {
                               return std::ranges::any_of(method.rows, [](const ComparisonRow& row) {
                                   return row.test.verdict == inspector::TimeVerdict::Slower;
                               });
                           });
    return operators || comparison.slower();
}

}  // namespace et::output
