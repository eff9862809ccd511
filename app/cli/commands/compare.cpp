#include "app/cli/commands/commands.h"
#include "app/cli/compare/sides.h"
#include "app/cli/option_types.h"
#include "app/cli/options/measure_options.h"
#include "app/cli/options/model_options.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/options/verify_options.h"
#include "app/cli/output_options.h"
#include "app/pages/compare/report.h"
#include "app/tasks/compare/measured_program.h"
#include "app/tasks/compare/program_changes.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/verify/verify_settings.h"
#include "inspector/comparison/comparison.h"
#include "inspector/program_diff/program_diff_report.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::Result;
using inspector::Comparison;
using inspector::Measurement;

enum class CompareFormat : std::uint8_t { Table, Json, Markdown };
constexpr std::array formats{Word{"table", CompareFormat::Table}, Word{"json", CompareFormat::Json},
                             Word{"markdown", CompareFormat::Markdown}};
constexpr std::array failures{Word{"total", FailOn::Total}, Word{"operator", FailOn::Operator},
                              Word{"never", FailOn::Never}};
constexpr double percent = 100;

/// The two sides as they were measured.
struct Measured {
    std::array<std::shared_ptr<const Measurement>, 2> sides;
    std::array<std::optional<MeasuredProgram>, 2> programs;  ///< nothing: a trace or a baseline
    bool interleaved = false;
    std::size_t executions = 0;  ///< of programs
};

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
    void addOptions(CLI::App& app) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<std::array<Side, 2>> findSides() const;
    [[nodiscard]] Result<Measured> measureSides(const std::array<Side, 2>& sides) const;
    [[nodiscard]] Result<> measureAll(const std::array<Side, 2>& sides, Measured& measured) const;
    [[nodiscard]] Result<std::shared_ptr<const Comparison>> compare(const Measured& measured) const;
    void addProgramChanges(const Measured& measured, CompareReport& report, Console& console) const;
    [[nodiscard]] std::string render(const CompareReport& report, const Console& console) const;

    std::array<std::string, 2> words;
    std::array<fs::path, 2> records;
    StoreOptions store;
    ModelOptions model;
    MeasureOptions measure;
    inspector::TimeScale scale = inspector::TimeScale::Nanoseconds;
    double thresholdPercent = 2;
    double confidencePercent = 95;
    FailOn failOn = FailOn::Total;
    VerifySettings tolerances;  ///< for --rtol and --atol
    bool checkOutputs = false;
    bool all = false;
    CompareFormat format = CompareFormat::Table;
    OutputOptions output;
    ProgressOptions progress;
};

std::string CompareVerb::details() const {
    return "A and B each are a trace (.etdp), a program (.pte, .bpte) or the name of a baseline ('et-inspect "
           "baseline'). Programs are run in processes of their own; two of them take turns, after as many "
           "executions as it takes until their times are steady, with the same inputs. Operators are matched "
           "by "
           "debug handle where both sides have a record (--etrecord-a, --etrecord-b), else by name along the "
           "sequence in which they ran. A verdict of slower or faster means that the medians differ by more "
           "than "
           "the threshold, beyond chance: of comparisons of equals, at most 5 % (--confidence 95) call the "
           "total "
           "slower or faster, and at most 5 % any operator, however many there are. How: docs/compare.md. "
           "Exit codes: 0, no regression; 1, a regression; 3, a file cannot be read or run.";
}

std::vector<Glossary> CompareVerb::glossaries() const {
    Glossary glossary{.title = "Columns", .terms = {}};
    for (const CompareColumn& column : compareColumns()) {
        glossary.terms.push_back({column.header, column.meaning});
    }
    return {glossary};
}

std::vector<Example> CompareVerb::examples() const {
    return {{"et-inspect compare before.etdp after.etdp", "Two traces, operator by operator"},
            {"et-inspect compare old.pte new.pte --rtol 1e-3",
             "Run two programs in turns; fail when the new one is slower or computes something else"},
            {"et-inspect compare release model.pte --threshold 5 --format markdown -o comment.md",
             "A program against a baseline, for a pull request"}};
}

void CompareVerb::addOptions(CLI::App& app) {
    app.add_option("A", words[0], "Trace, program or name of a baseline: what was before")->required();
    app.add_option("B", words[1], "Likewise: what is now")->required();
    app.option_defaults()->group("Verdict");
    restrictToNumber(app.add_option("--threshold", thresholdPercent,
                                    "How many percent slower counts as slower (default: 2)")
                         ->type_name("PERCENT"),
                     "a number of percent from 0 on", [](double value) { return value >= 0; });
    restrictToNumber(
        app.add_option("--confidence", confidencePercent,
                       "Of intervals; what is left to 100 is the rate of false alarms (default: 95)")
            ->type_name("PERCENT"),
        "more than 0 and less than 100 percent", [](double value) { return value > 0 && value < percent; });
    addChoice(
        app, "--fail-on", failOn, failures,
        "What is a regression: a slower total, or any slower operator too, or neither (default: total)");
    app.add_flag("--check-outputs", checkOutputs,
                 "Outputs out of tolerance are a regression, too; --rtol and --atol say so as well");
    addToleranceOptions(app, tolerances);
    app.option_defaults()->group("Sides");
    app.add_option("--etrecord-a", records[0], "Record of the export of A (ETRecord)")->type_name(fileValue);
    app.add_option("--etrecord-b", records[1], "Record of the export of B")->type_name(fileValue);
    addStoreOption(app, store);
    addChoice(app, "--source-time-scale", scale, timeScaleWords, "Unit of the clock of traces (default: ns)");
    addModelOptions(app, model);
    app.option_defaults()->group("Executions");
    addMeasureOptions(app, measure);
    app.option_defaults()->group("Output");
    addChoice(app, "--format", format, formats, "How to print (default: table)");
    app.add_flag("--all", all, "All operators, not only the 20 that add most");
    addOutputOptions(app, output);
    addProgressOptions(app, progress);
}

Result<std::array<Side, 2>> CompareVerb::findSides() const {
    std::array<Side, 2> sides;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        ET_ASSIGN(sides[i], findSide(words[i]));
        sides[i].record = records[i];
    }
    return sides;
}

Result<> CompareVerb::measureAll(const std::array<Side, 2>& sides, Measured& measured) const {
    std::vector<ProgramToMeasure> programs;
    for (const Side& side : sides) {
        if (side.kind == SideKind::Program) {
            programs.push_back({.file = side.word, .record = side.record});
        }
    }
    if (programs.empty()) {
        return {};
    }
    ET_ASSIGN(std::vector<MeasuredProgram> results, measurePrograms(programs, model, measure, progress));
    measured.interleaved = programs.size() == sides.size();
    measured.executions = results.front().executions;
    auto next = results.begin();
    for (std::size_t i = 0; i < sides.size(); ++i) {
        if (sides[i].kind == SideKind::Program) {
            measured.sides[i] = std::make_shared<Measurement>(next->measurement);
            measured.programs[i] = std::move(*next++);
        }
    }
    return {};
}

/// Files and baselines first: what is wrong with them shows before anything runs for long.
Result<Measured> CompareVerb::measureSides(const std::array<Side, 2>& sides) const {
    Measured measured;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        if (sides[i].kind == SideKind::Trace) {
            ET_ASSIGN(Measurement trace, openTrace(sides[i], scale, model.method));
            measured.sides[i] = std::make_shared<Measurement>(std::move(trace));
        } else if (sides[i].kind == SideKind::Baseline) {
            ET_ASSIGN(Measurement baseline, openBaseline(sides[i], store));
            measured.sides[i] = std::make_shared<Measurement>(std::move(baseline));
        }
    }
    ET_TRY(measureAll(sides, measured));
    return measured;
}

Result<std::shared_ptr<const Comparison>> CompareVerb::compare(const Measured& measured) const {
    inspector::ComparisonOptions options{.test = {.threshold = thresholdPercent / percent,
                                                  .confidence = confidencePercent / percent,
                                                  .seed = model.seed},
                                         .interleaved = measured.interleaved};
    inspector::OutputElements elements;
    ET_ASSIGN(elements.tolerances, tolerancesOf(tolerances));
    const auto& [a, b] = measured.programs;
    if (a && b) {
        elements.a = a->elements;
        elements.b = b->elements;
    }
    return inspector::compareMeasurements(measured.sides[0], measured.sides[1], options, elements);
}

/// What changed inside of the programs, where both are there and something did.
void CompareVerb::addProgramChanges(const Measured& measured, CompareReport& report, Console& console) const {
    const auto& [a, b] = measured.programs;
    if (!a || !b) {
        return;
    }
    const auto diff = programChanges(*a, *b, model.tensorData);
    if (!diff) {
        console.warn(fmt::format("the programs are not compared: {}", diff.error().toString()));
        return;
    }
    report.programInfo = inspector::report::programDiffFacts(*diff, false);
    if (!diff->same()) {
        constexpr int heading = 3;
        report.programText = inspector::report::programDiffText(*diff, all, output.style(console));
        report.programMarkdown = "\n" + inspector::report::programDiffMarkdown(*diff, heading);
    }
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
    const InterruptionGuard guard;
    ET_ASSIGN(const auto sides, findSides());
    auto measured = measureSides(sides);
    const InterruptionInfo& end = infoOf(InterruptionGuard::cause());
    if (!measured && end.cause != Interruption::None && measured.error().code == core::ErrorCode::Cancelled) {
        invocation.console.complain(fmt::format("{} before anything was measured", end.message));
        return end.code;
    }
    ET_TRY(measured);
    ET_ASSIGN(const auto comparison, compare(*measured));
    for (const std::string& warning : comparison->warnings) {
        invocation.console.warn(warning);
    }
    CompareReport report{
        .comparison = *comparison,
        .failOn = failOn,
        .checkOutputs = checkOutputs || !tolerances.relative.empty() || !tolerances.absolute.empty(),
        .most = all ? 0 : CompareReport::usual};
    addProgramChanges(*measured, report, invocation.console);
    const std::string text = render(report, invocation.console);
    const std::vector<fs::path> inputs{words[0], words[1], records[0], records[1]};
    ET_TRY(deliver(invocation.console, output, producerOf(text), inputs));
    if (end.cause != Interruption::None) {
        invocation.console.complain(fmt::format("{} after {} of {} executions", end.message,
                                                measured->executions, measure.iterations));
        return end.code;
    }
    return report.regressed() ? ExitCode::CheckFailed : ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeCompareVerb() {
    return std::make_unique<CompareVerb>();
}

}  // namespace et::cli
