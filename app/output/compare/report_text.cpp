#include "app/output/cells.h"
#include "app/output/compare/report.h"
#include "app/output/compare/report_tables.h"
#include "inspector/comparison/headline.h"
#include "runtime/core/result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::output {
namespace {

/// Lists methods and operators that ran on one side only.
std::string onlyLines(const inspector::Comparison& comparison) {
    std::string text;
    for (const auto& [methods, side] :
         {std::pair(&comparison.onlyA, 'A'), std::pair(&comparison.onlyB, 'B')}) {
        for (const std::string& method : *methods) {
            text += fmt::format("{}: only run by {}\n", core::printable(method), side);
        }
    }
    return text;
}

/// Returns the headline of each method on a line that starts with `mark`.
std::string headlines(const inspector::Comparison& comparison, std::string_view mark) {
    std::string text;
    for (const inspector::MethodComparison& method : comparison.methods) {
        const std::string subject =
            comparison.methods.size() > 1 ? core::printable(method.b->method) + ": " : std::string();
        text += fmt::format("{}{}{}\n", mark, subject,
                            core::printable(inspector::headline(method, comparison.a->cycles)));
    }
    return text;
}

std::string resultLine(const CompareReport& given) {
    if (!given.regressed()) {
        return "no regression\n";
    }
    std::vector<std::string_view> reasons;
    for (const auto& [holds, reason] :
         {std::pair(given.slower(), "slower"), std::pair(given.outputsWrong(), "outputs differ"),
          std::pair(given.overBudget(), "over budget")}) {
        if (holds) {
            reasons.emplace_back(reason);
        }
    }
    return fmt::format("regression: {}\n", fmt::join(reasons, ", "));
}

}  // namespace

std::string compareText(const CompareReport& given, const Style& style) {
    const inspector::Comparison& comparison = given.comparison;
    const Style readable = style.withUnits();
    const auto draw = [&](const Table& table) {
        return table.rows.empty() ? std::string() : render(table, Format::Table, readable);
    };
    std::string text = fmt::format("{}A: {}\nB: {}\n", headlines(comparison, ""), sideLine(*comparison.a),
                                   sideLine(*comparison.b));
    for (const inspector::MethodComparison& method : comparison.methods) {
        std::size_t left = 0;
        text += draw(operatorsTable(given, method, left));
        text += left == 0 ? "" : fmt::format("{} more operators (--all)\n", left);
    }
    text += draw(programTable(comparison));
    text += given.programText;
    text += draw(outputsTable(comparison));
    text += onlyLines(comparison);
    for (const inspector::MethodComparison& method : comparison.methods) {
        text += verdictLine(given, method) + "\n";
    }
    const std::string launches = launchesLine(given);
    text += launches.empty() ? "" : launches + "\n";
    const std::string outputs = outputsLine(given);
    text += outputs.empty() ? "" : outputs + "\n";
    for (const tasks::BudgetCheck& check : given.budgets) {
        text +=
            fmt::format("{}: {}\n", check.broken ? "over budget" : "within budget", tasks::budgetLine(check));
    }
    return text + resultLine(given);
}

std::string compareMarkdown(const CompareReport& given) {
    const inspector::Comparison& comparison = given.comparison;
    const auto draw = [](const char* heading, const Table& table) {
        return table.rows.empty() ? std::string()
                                  : fmt::format("\n### {}\n\n{}", heading,
                                                render(table, Format::Markdown, {.adaptUnits = true}));
    };
    std::string text = fmt::format("## {}\n\n{}", given.regressed() ? "Regression" : "No regression",
                                   headlines(comparison, "- "));
    for (const inspector::MethodComparison& method : comparison.methods) {
        text += fmt::format("- {}\n", verdictLine(given, method));
    }
    const std::string launches = launchesLine(given);
    text += launches.empty() ? "" : fmt::format("- {}\n", launches);
    const std::string outputs = outputsLine(given);
    text += outputs.empty() ? "" : fmt::format("- {}\n", outputs);
    for (const tasks::BudgetCheck& check : given.budgets) {
        text += fmt::format("- {}: {}\n", check.broken ? "**over budget**" : "within budget",
                            tasks::budgetLine(check));
    }
    text += fmt::format("- A: {}\n- B: {}\n", sideLine(*comparison.a), sideLine(*comparison.b));
    for (const std::string& warning : comparison.warnings) {
        text += fmt::format("- warning: {}\n", core::printable(warning));
    }
    for (const inspector::MethodComparison& method : comparison.methods) {
        std::size_t left = 0;
        const std::string heading = fmt::format("Operators of {}", core::printable(method.b->method));
        text += draw(heading.c_str(), operatorsTable(given, method, left));
        text += left == 0 ? "" : fmt::format("\n{} more operators.\n", left);
    }
    text += draw("Program", programTable(comparison));
    text += given.programMarkdown;
    return text + draw("Outputs", outputsTable(comparison));
}

}  // namespace et::output
