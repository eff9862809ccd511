#include "app/cli/commands/commands.h"
#include "app/cli/options/measure_options.h"
#include "app/cli/options/model_options.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/options/store_options.h"
#include "app/cli/options/verify_options.h"
#include "app/cli/output_options.h"
#include "app/pages/compare/program_changes.h"
#include "app/pages/compare/report.h"
#include "app/tasks/compare/budget.h"
#include "app/tasks/compare/comparison_run.h"
#include "app/tasks/compare/sides.h"
#include "app/tasks/output_file.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/verify/verify_settings.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace et::app {
namespace {

namespace fs = std::filesystem;
using core::Result;

enum class CompareFormat : std::uint8_t { Table, Json, Markdown };
constexpr std::array compareFormats{Choice{"table", CompareFormat::Table},
                                    Choice{"json", CompareFormat::Json},
                                    Choice{"markdown", CompareFormat::Markdown}};
constexpr std::array failures{Choice{"total", FailOn::Total}, Choice{"operator", FailOn::Operator},
                              Choice{"never", FailOn::Never}};
constexpr double percent = 100;

/// Compares the times of two models.
class CompareVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "compare"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Tell whether a model became slower, and where";
    }
    [[nodiscard]] std::string details() const override;
    [[nodiscard]] std::vector<Glossary> glossaries() const override;
    [[nodiscard]] std::vector<Example> examples() const override;
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    void addVerdictOptions(OptionList& options);
    [[nodiscard]] Result<> prepare();
    [[nodiscard]] std::vector<fs::path> inputs() const;
    [[nodiscard]] std::string render(const CompareReport& report, const Console& console) const;

    std::vector<std::string> arguments;
    std::array<fs::path, 2> records;
    CompareSettings settings;
    double thresholdPercent = 2;
    double confidencePercent = 95;
    FailOn failOn = FailOn::Total;
    VerifySettings tolerances;  ///< set by --rtol and --atol
    bool checkOutputs = false;
    std::vector<std::string> budgetTexts;
    std::vector<Budget> budgets;
    fs::path junit;
    bool all = false;
    CompareFormat format = CompareFormat::Table;
    OutputOptions output;
    ProgressOptions progress;
};

std::string CompareVerb::details() const {
    return "Compares two sides, A and B: each is a trace (.etdp), a program (.pte, .bpte) or the name of a "
           "baseline (see 'et-inspect baseline'). An ETRecord among the files belongs to the sides before it "
           "that have none yet. Programs run in separate processes with the same inputs. Two programs are "
           "launched in pairs, again and again, at places in memory and on processors drawn at random; in a "
           "pair they take turns, after a warm-up that lasts until their times are steady. Operators are "
           "matched by debug handle if both sides have an ETRecord, else by name along the execution order. "
           "Slower or faster means that the times differ by more than the threshold, and by more than "
           "chance: if two programs are equal, a total or any operator is called slower or faster in at most "
           "5 % of comparisons (--confidence 95). Verdicts about traces and baselines exclude what differs "
           "between launches. See docs/explanation/verdicts.md. Exit codes: 0, no regression; 1, a "
           "regression, or a condition of --fail-if; 3, a file cannot be read or run.";
}

std::vector<Glossary> CompareVerb::glossaries() const {
    Glossary columns{.title = "Columns", .terms = {}};
    for (const CompareColumn& column : compareColumns()) {
        columns.terms.push_back({column.header, column.meaning});
    }
    Glossary quantities{.title = "Quantities for --fail-if", .terms = {}};
    for (const BudgetQuantityInfo& each : budgetQuantities()) {
        quantities.terms.push_back({std::string(each.name), std::string(each.meaning)});
    }
    return {columns, quantities};
}

std::vector<Example> CompareVerb::examples() const {
    return {{"et-inspect compare before.etdp after.etdp", "Compare two traces, operator by operator"},
            {"et-inspect compare old.pte new.pte --rtol 1e-3",
             "Run two programs in turns; fail if the new one is slower or its outputs differ"},
            {"et-inspect compare old.pte new.pte --fail-if 'p50>5ms' --fail-if 'size>4MB' --junit report.xml",
             "Fail a CI job, too, if the new one is over a budget"},
            {"et-inspect compare release model.pte --threshold 5 --format markdown -o comment.md",
             "Compare a program with a baseline, for a pull request"}};
}

void CompareVerb::addVerdictOptions(OptionList& options) {
    options.group("Verdict");
    options
        .number("--threshold", thresholdPercent, "Ignore differences up to this percentage (default: 2)",
                "a non-negative percentage", [](double value) { return value >= 0; })
        .takes("PERCENT");
    options
        .number("--confidence", confidencePercent, "Confidence level (default: 95)",
                "a percentage between 0 and 100", [](double value) { return value > 0 && value < percent; })
        .takes("PERCENT");
    options.choice(
        "--fail-on", failOn, failures,
        "What counts as a regression: a slower total, any slower operator as well, or neither (default: "
        "total)");
    options.flag("--check-outputs", checkOutputs,
                 "Outputs out of tolerance are a regression, too (implied by --rtol and --atol)");
    addToleranceOptions(options, tolerances);
    options
        .text("--fail-if", budgetTexts,
              "What B must not be, whatever A is: p50>5ms, size>4MB, peak>64MB, sqnr<40 (repeatable)")
        .takes("CONDITION")
        .separatedByCommas();
}

void CompareVerb::addOptions(OptionList& options) {
    options
        .text("FILE", arguments,
              "Two traces, programs or names of baselines: before, after; and their ETRecords")
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
    options.choice("--format", format, compareFormats, "Output format (default: table)");
    options.path("--junit", junit, "Write a JUnit XML report to this file, for CI servers");
    options.flag("--all", all, "List all operators, not only the 20 with the largest difference");
    addOutputOptions(options, output);
    addProgressOptions(options, progress);
}

/// Converts the options to settings.
Result<> CompareVerb::prepare() {
    ET_ASSIGN(std::vector<Side> sides, findSides(arguments));
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
    ET_ASSIGN(settings.tolerances, tolerancesOf(tolerances));
    for (const std::string& text : budgetTexts) {
        ET_ASSIGN(Budget budget, parseBudget(text));
        budgets.push_back(std::move(budget));
    }
    ET_TRY(sandboxLack(settings.model.sandbox));
    return junit.empty() ? Result<>() : refuseToReplace(junit, inputs());
}

std::vector<fs::path> CompareVerb::inputs() const {
    std::vector<fs::path> files(arguments.begin(), arguments.end());
    files.insert(files.end(), records.begin(), records.end());
    return files;
}

std::string CompareVerb::render(const CompareReport& report, const Console& console) const {
    switch (format) {
        case CompareFormat::Json:
            return compareJson(report);
        case CompareFormat::Markdown:
            return compareMarkdown(report);
        case CompareFormat::Table:
            break;
    }
    return compareText(report, output.style(console));
}

Result<ExitCode> CompareVerb::run(const Invocation& invocation) {
    Console& console = invocation.console;
    const InterruptionGuard guard;
    ET_TRY(prepare());
    ET_ASSIGN(const CompareResult result, compareSides(settings, progress));
    const InterruptionInfo& end = infoOf(result.interruption);
    if (result.comparison == nullptr) {
        console.complain(fmt::format("{} before anything was measured", end.message));
        return end.code;
    }
    console.warnAll(result.warnings);
    ET_ASSIGN(std::vector<BudgetCheck> checks, checkBudgets(budgets, *result.comparison));
    CompareReport report{
        .comparison = *result.comparison,
        .failOn = failOn,
        .checkOutputs = checkOutputs || !tolerances.relative.empty() || !tolerances.absolute.empty(),
        .budgets = std::move(checks),
        .maxRows = all ? 0 : CompareReport::usual};
    if (result.programs) {
        addProgramChanges(report, *result.programs, all, output.style(console));
    }
    if (!junit.empty()) {
        ET_TRY(writeFile(junit, producerOf(compareJunit(report))));
    }
    ET_TRY(deliver(console, output, producerOf(render(report, console)), inputs()));
    if (end.cause != Interruption::None) {
        console.complain(
            fmt::format("{} after {} executions of each program", end.message, result.executions));
        return end.code;
    }
    return report.regressed() ? ExitCode::CheckFailed : ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeCompareVerb() {
    return std::make_unique<CompareVerb>();
}

}  // namespace et::app
