#include "app/cli/commands/commands.h"
#include "app/cli/interruption_report.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/compare/report.h"
#include "app/output/compare/report_tables.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/compare/budget.h"
#include "app/tasks/compare/comparison_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::Result;

/// Compares the times of two models.
class CompareCommand final : public Command {
  public:
    CompareCommand() : Command("compare", "Check whether a model became slower, and where") {}

    [[nodiscard]] std::string details() const override {
        return "Compares two sides, A and B: each is a trace (.etdp), a program (.pte, .bpte) or the name of "
               "a baseline (see 'et-inspect baseline'), or a session with a trace or program. An ETRecord "
               "among the files belongs to the preceding sides that have none yet. Programs run in separate "
               "processes with the same inputs. Two programs are launched in pairs, repeatedly, at random "
               "memory addresses and on random processors; within a pair they alternate, after a warm-up "
               "that lasts until their times are steady. Operators are matched by debug handle if both "
               "sides have an ETRecord, else by name in execution order. Traces of language models are "
               "compared phase by phase (prefill, decode) if the phases of both are known. Slower or faster "
               "means that the times differ by more than the threshold and by more than chance: for two "
               "equal programs, at most 5 % of comparisons report the total or any operator as slower or "
               "faster (--confidence 95). Verdicts about traces and baselines do not account for "
               "differences between launches. See docs/explanation/verdicts.md. Exit codes: 0, no "
               "regression; 1, a regression, or a condition of --fail-if; 3, a file cannot be read or run.";
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
    [[nodiscard]] std::string render(const output::CompareReport& report, const Console& console) const;

    tasks::CompareSettings settings;
    fs::path junit;
    bool all = false;
    OutputFormat format = OutputFormat::Table;
    OutputOptions output;
    tasks::ProgressOptions progress;
};

void CompareCommand::addOptions(OptionList& options) {
    addCompareOptions(options, settings);
    options.group("Output");
    addFormat(options, format, {OutputFormat::Table, OutputFormat::Json, OutputFormat::Markdown});
    options.path("--junit", junit, "Also write a JUnit XML report to this file, for CI servers");
    options.flag("--all", all, "List all operators, not only the 20 with the largest difference");
    addOutputOptions(options, output);
    addProgressOptions(options, progress);
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
    const std::vector<fs::path> inputs = tasks::inputsOf(settings);
    ET_TRY(tasks::checkFoldersOf({output.path, junit}));
    ET_TRY(tasks::sandboxLack(settings.model.sandbox));
    if (!junit.empty()) {
        ET_TRY(tasks::refuseToReplace(junit, inputs));
    }
    ET_ASSIGN(const tasks::CompareResult result, tasks::compareSides(settings, progress));
    if (result.comparison == nullptr) {
        return unlessInterrupted(console, tasks::ExitCode::Fine, "before anything was measured",
                                 result.interruption);
    }
    console.warnAll(result.warnings);
    ET_ASSIGN(std::vector<tasks::BudgetCheck> checks,
              tasks::checkBudgets(settings.budgets, *result.comparison));
    output::CompareReport report{.comparison = *result.comparison,
                                 .failOn = settings.failOn,
                                 .checkOutputs = settings.checkOutputs || settings.tolerances.any(),
                                 .budgets = std::move(checks),
                                 .maxRows = all ? 0 : output::CompareReport::usual};
    if (result.programs) {
        output::addProgramChanges(report, *result.programs, all, output.style(console));
    }
    if (!junit.empty()) {
        ET_TRY(tasks::writeFile(junit, tasks::producerOf(output::compareJunit(report))));
    }
    ET_TRY(deliver(console, output, tasks::producerOf(render(report, console)), inputs));
    return unlessInterrupted(
        console, report.regressed() ? tasks::ExitCode::CheckFailed : tasks::ExitCode::Fine,
        fmt::format("after {} executions of each program", result.executions), result.interruption);
}

}  // namespace

const CommandFactory makeCompareCommand = newCommand<CompareCommand>;

}  // namespace et::cli
