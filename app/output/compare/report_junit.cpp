#include "app/output/compare/report.h"
#include "app/output/compare/report_tables.h"
#include "app/output/junit.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace et::output {
namespace {

using inspector::MethodComparison;
using Outcome = JUnitTest::Outcome;

Outcome outcomeOf(bool failed) {
    return failed ? Outcome::Failure : Outcome::Pass;
}

bool isSlower(const inspector::TimeTest& test) {
    return test.verdict == inspector::TimeVerdict::Slower;
}

void addTimes(const CompareReport& report, const MethodComparison& method, JUnitSuite& suite) {
    suite.tests.push_back({.name = fmt::format("{}: time", method.b->method),
                           .outcome = outcomeOf(isSlower(method.total)),
                           .message = verdictLine(report, method)});
    if (report.failOn != tasks::FailOn::Operator) {
        return;
    }
    for (const inspector::ComparisonRow& row : method.rows) {
        suite.tests.push_back({.name = fmt::format("{}: {}", method.b->method, row.name()),
                               .outcome = outcomeOf(isSlower(row.test)),
                               .message = fmt::format("slower: x {:.4g}", row.test.ratio.value_or(0))});
    }
}

}  // namespace

std::string compareJunit(const CompareReport& report) {
    const inspector::Comparison& comparison = report.comparison;
    JUnitSuite suite{.name = fmt::format("{} against {}", comparison.b->name, comparison.a->name),
                     .tests = {}};
    if (report.failOn != tasks::FailOn::Never) {
        for (const MethodComparison& method : comparison.methods) {
            addTimes(report, method, suite);
        }
    }
    if (report.checkOutputs) {
        suite.tests.push_back(
            {.name = "outputs", .outcome = outcomeOf(report.outputsWrong()), .message = outputsLine(report)});
    }
    for (const tasks::BudgetCheck& check : report.budgets) {
        suite.tests.push_back({.name = fmt::format("{}{}not {}", check.method,
                                                   check.method.empty() ? "" : ": ", check.budget.text),
                               .outcome = outcomeOf(check.broken),
                               .message = tasks::budgetLine(check)});
    }
    return junitXml("et-inspect compare", std::array{std::move(suite)});
}

}  // namespace et::output
