#pragma once

#include "app/output/cells.h"
#include "app/tasks/compare/comparison_run.h"
#include "inspector/comparison/comparison.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace et::output {

struct CompareReport {
    const inspector::Comparison& comparison;
    tasks::FailOn failOn = tasks::FailOn::Total;
    bool checkOutputs = false;  ///< outputs out of tolerance are a regression
    std::vector<tasks::BudgetCheck> budgets{};
    static constexpr std::size_t usual = 20;
    std::size_t maxRows = usual;    ///< operators to show per method; 0: all
    std::string programText{};      ///< changes in the program, for Format::Table
    std::string programMarkdown{};  ///< likewise, for Format::Markdown
    Cell programInfo{};             ///< likewise, for JSON

    [[nodiscard]] bool slower() const;
    [[nodiscard]] bool outputsWrong() const { return checkOutputs && comparison.outputsDiffer(); }
    [[nodiscard]] bool overBudget() const;
    [[nodiscard]] bool regressed() const { return slower() || outputsWrong() || overBudget(); }
};

/// A column of the table of operators, for its help text.
struct CompareColumn {
    const char* id;
    const char* header;
    const char* meaning;
    bool numeric;
    bool isTime = false;  ///< in nanoseconds, or ticks if the measurement has no time unit
};
[[nodiscard]] std::span<const CompareColumn> compareColumns();

/// For a terminal: the sides compared, operators, program, outputs, then a one-line verdict per method.
[[nodiscard]] std::string compareText(const CompareReport& report, const Style& style);
/// For a comment on a pull request.
[[nodiscard]] std::string compareMarkdown(const CompareReport& report);
/// For CI servers: a test for each method's time, for operators if they can fail, outputs and budgets.
[[nodiscard]] std::string compareJunit(const CompareReport& report);
/// A JSON object as described in docs/reference/json.md, and a line break.
[[nodiscard]] std::string compareJson(const CompareReport& report);

}  // namespace et::output
