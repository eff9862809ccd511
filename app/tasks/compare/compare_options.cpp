#include "app/tasks/base/file_options.h"
#include "app/tasks/base/option_list.h"
#include "app/tasks/compare/comparison_run.h"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace et::tasks {
namespace {

std::string budgetCondition(const Budget& budget) {
    return budget.text;
}

void addVerdictOptions(OptionList& options, CompareSettings& settings) {
    options.group("Verdict");
    options.number("--threshold PERCENT", settings.thresholdPercent,
                   "Ignore differences up to this percentage (default: 2)", "a non-negative percentage",
                   {.least = 0});
    options.number("--confidence PERCENT", settings.confidencePercent, "Confidence level (default: 95)",
                   "a percentage between 0 and 100", {.above = 0, .below = 100});
    addFailOn(options, settings.failOn);
    options.flag("--check-outputs", settings.checkOutputs,
                 "Report outputs out of tolerance as a regression (implied by --rtol and --atol)");
    addToleranceOptions(options, settings.tolerances);
    options
        .custom("--fail-if CONDITION", settings.budgets, &parseBudget, &budgetCondition,
                "Limit for B, independent of A: p50>5ms, size>4MB, peak>64MB, sqnr<40 (repeatable)")
        .separatedByCommas();
}

}  // namespace

void addFailOn(OptionList& options, FailOn& failOn) {
    static constexpr std::array conditions{
        Choice{"total", FailOn::Total}, Choice{"operator", FailOn::Operator}, Choice{"never", FailOn::Never}};
    options.choice(
        "--fail-on", failOn, conditions,
        "Condition for a regression: a slower total, also any slower operator, or neither (default: total)");
}

void addCompareOptions(OptionList& options, CompareSettings& settings) {
    options
        .text("FILE", settings.files,
              "Two traces, programs or baseline names (before, after), and their ETRecords")
        .takes(fileValue)
        .takesFiles({SessionFile::Trace, SessionFile::Bundle, SessionFile::Program})
        .mustBeGiven();
    addVerdictOptions(options, settings);
    options.group("Sides");
    addRecordFile(options, "--etrecord-before", settings.records[0], "ETRecord of A").accompanies(0);
    addRecordFile(options, "--etrecord-after", settings.records[1], "ETRecord of B").accompanies(1);
    addStoreOption(options, settings.store);
    addTraceClock(options, settings.clock);
    addModelOptions(options, settings.model);
    addCase(options, settings.model);
    addSandbox(options, settings.model);
    addTarget(options, settings.model);
    options.group("Executions");
    addMeasureOptions(options, settings.measure);
    addLaunchOptions(options, settings.measure);
}

std::vector<std::filesystem::path> inputsOf(const CompareSettings& settings) {
    std::vector<std::filesystem::path> files(settings.files.begin(), settings.files.end());
    files.insert(files.end(), settings.records.begin(), settings.records.end());
    return files;
}

}  // namespace et::tasks
