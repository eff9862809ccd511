#include "app/cli/commands/commands.h"
#include "app/cli/options/measure_options.h"
#include "app/cli/options/model_options.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/options/store_options.h"
#include "app/cli/output_options.h"
#include "app/output/compare/program_changes.h"
#include "app/output/compare/report.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/compare/budget.h"
#include "app/tasks/compare/comparison_run.h"
#include "app/tasks/compare/sides.h"
#include "app/tasks/verify/verify_settings.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::Result;

constexpr std::array failures{Choice{"total", output::FailOn::Total},
                              Choice{"operator", output::FailOn::Operator},
                              Choice{"never", output::FailOn::Never}};
constexpr double percent = 100;

/// Compares the times of two models.
class CompareCommand final : public Command {
  public:
    CompareCommand() : Command("compare", "Check whether a model became slower, and where") {}

    [[nodiscard]] std::string details() const override {
        return "Compares two sides, A and B: each is a trace (.etdp), a program (.pte, .bpte) or the name of "
               "a baseline (see 'et-inspect baseline'). An ETRecord among the files belongs to the preceding "
               "sides that have none yet. Programs run in separate processes with the same inputs. Two "
               "programs are launched in pairs, repeatedly, at random memory addresses and on random "
               "processors; within a pair they alternate, after a warm-up that lasts until their times are "
               "steady. Operators are matched by debug handle if both sides have an ETRecord, else by name "
               "in execution order. Slower or faster means that the times differ by more than the threshold "
               "and by more than chance: for two equal programs, at most 5 % of comparisons report the total "
               "or any operator as slower or faster (--confidence 95). Verdicts about traces and baselines "
               "do not account for differences between launches. See docs/explanation/verdicts.md. Exit "
               "codes: 0, no regression; 1, a regression, or a condition of --fail-if; 3, a file cannot be "
               "read or run.";
    }
    [[nodiscard]] std::vector<Glossary> glossaries() const override {
        return {glossaryOf("Columns", output::compareColumns()),
                glossaryOf("Quantities for --fail-if", tasks::budgetQuantities())};
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect compare before.etdp after.etdp", "Compare two traces, operator by operator"},
            {"et-inspect compare old.pte new.pte --rtol 1e-3",
             "Run two programs alternately; fail if the new one is slower or its outputs differ"},
            {"et-inspect compare old.pte new.pte --fail-if 'p50>5ms' --fail-if 'size>4MB' --junit report.xml",
             "Also fail a CI job if the new one exceeds a budget"},
            {"et-inspect compare release model.pte --threshold 5 --format markdown -o comment.md",
             "Compare a program with a baseline, for a pull request"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    void addVerdictOptions(OptionList& options);
    [[nodiscard]] Result<> prepare();
    [[nodiscard]] std::vector<fs::path> inputs() const;
    [[nodiscard]] std::string render(const output::CompareReport& report, const Console& console) const;

    std::vector<std::string> arguments;
    std::array<fs::path, 2> records;
    tasks::CompareSettings settings;
    double thresholdPercent = 2;
    double confidencePercent = 95;
    output::FailOn failOn = output::FailOn::Total;
    tasks::VerifySettings tolerances;  ///< set by --rtol and --atol
    bool checkOutputs = false;
    std::vector<std::string> budgetTexts;
    std::vector<tasks::Budget> budgets;
    fs::path junit;
    bool all = false;
    OutputFormat format = OutputFormat::Table;
    OutputOptions output;
    tasks::ProgressOptions progress;
};

void CompareCommand::addVerdictOptions(OptionList& options) {
    options.group("Verdict");
    options.number("--threshold PERCENT", thresholdPercent,
                   "Ignore differences up to this percentage (default: 2)", "a non-negative percentage",
                   {.least = 0});
    options.number("--confidence PERCENT", confidencePercent, "Confidence level (default: 95)",
                   "a percentage between 0 and 100", {.above = 0, .below = percent});
    options.choice(
        "--fail-on", failOn, failures,
        "Condition for a regression: a slower total, also any slower operator, or neither (default: total)");
    options.flag("--check-outputs", checkOutputs,
                 "Report outputs out of tolerance as a regression (implied by --rtol and --atol)");
    addToleranceOptions(options, tolerances);
    options
        .text("--fail-if CONDITION", budgetTexts,
              "Limit for B, independent of A: p50>5ms, size>4MB, peak>64MB, sqnr<40 (repeatable)")
        .separatedByCommas();
}

void CompareCommand::addOptions(OptionList& options) {
    options
        .text("FILE", arguments,
              "Two traces, programs or baseline names (before, after), and their ETRecords")
        .takes(fileValue)
        .mustBeGiven();
    addVerdictOptions(options);
    options.group("Sides");
    options.file("--etrecord-a", records[0], "ETRecord of A");
    options.file("--etrecord-b", records[1], "ETRecord of B");
    addStoreOption(options, settings.store);
    options.choice("--source-time-scale", settings.scale, timeScaleChoices,
                   "Time unit of the traces (default: ns)");
    addModelOptions(options, settings.model);
    addCase(options, settings.model);
    addSandbox(options, settings.model);
    addTarget(options, settings.model);
    options.group("Executions");
    addMeasureOptions(options, settings.measure);
    addLaunchOptions(options, settings.measure);
    options.group("Output");
    addFormat(options, format, {OutputFormat::Table, OutputFormat::Json, OutputFormat::Markdown});
    options.path("--junit", junit, "Also write a JUnit XML report to this file, for CI servers");
    options.flag("--all", all, "List all operators, not only the 20 with the largest difference");
    addOutputOptions(options, output);
    addProgressOptions(options, progress);
}

/// Converts the options to settings.
Result<> CompareCommand::prepare() {
    ET_ASSIGN(std::vector<tasks::Side> sides, tasks::findSides(arguments));
    if (sides.size() != settings.sides.size()) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          fmt::format("expected two traces, programs or baselines, got {}", sides.size()));
    }
    for (std::size_t i = 0; i < sides.size(); ++i) {
        settings.sides[i] = std::move(sides[i]);
        settings.sides[i].record = records[i].empty() ? settings.sides[i].record : records[i];
    }
    settings.threshold = thresholdPercent / percent;
    settings.confidence = confidencePercent / percent;
    ET_ASSIGN(settings.tolerances, tasks::parseTolerances(tolerances));
    for (const std::string& text : budgetTexts) {
        ET_ASSIGN(tasks::Budget budget, tasks::parseBudget(text));
        budgets.push_back(std::move(budget));
    }
    ET_TRY(tasks::sandboxLack(settings.model.sandbox));
    return junit.empty() ? Result<>() : tasks::refuseToReplace(junit, inputs());
}

std::vector<fs::path> CompareCommand::inputs() const {
    std::vector<fs::path> files(arguments.begin(), arguments.end());
    files.insert(files.end(), records.begin(), records.end());
    return files;
}

std::string CompareCommand::render(const output::CompareReport& report, const Console& console) const {
    if (format == OutputFormat::Json) {
        return output::compareJson(report);
    }
    if (format == OutputFormat::Markdown) {
        return output::compareMarkdown(report);
    }
    return output::compareText(report, output.style(console));
}

Result<tasks::ExitCode> CompareCommand::run(const Invocation& invocation) {
    Console& console = invocation.console;
    const tasks::InterruptionGuard guard;
    ET_TRY(prepare());
    ET_ASSIGN(const tasks::CompareResult result, tasks::compareSides(settings, progress));
    const tasks::InterruptionInfo& end = tasks::infoOf(result.interruption);
    if (result.comparison == nullptr) {
        console.complain(fmt::format("{} before anything was measured", end.message));
        return end.code;
    }
    console.warnAll(result.warnings);
    ET_ASSIGN(std::vector<tasks::BudgetCheck> checks, tasks::checkBudgets(budgets, *result.comparison));
    output::CompareReport report{
        .comparison = *result.comparison,
        .failOn = failOn,
        .checkOutputs = checkOutputs || !tolerances.relative.empty() || !tolerances.absolute.empty(),
        .budgets = std::move(checks),
        .maxRows = all ? 0 : output::CompareReport::usual};
    if (result.programs) {
        output::addProgramChanges(report, *result.programs, all, output.style(console));
    }
    if (!junit.empty()) {
        ET_TRY(tasks::writeFile(junit, tasks::producerOf(output::compareJunit(report))));
    }
    ET_TRY(deliver(console, output, tasks::producerOf(render(report, console)), inputs()));
    if (end.cause != tasks::Interruption::None) {
        console.complain(
            fmt::format("{} after {} executions of each program", end.message, result.executions));
        return end.code;
    }
    return report.regressed() ? tasks::ExitCode::CheckFailed : tasks::ExitCode::Fine;
}

}  // namespace

const CommandFactory makeCompareCommand = newCommand<CompareCommand>;

}  // namespace et::cli
