#include "app/cli/commands/commands.h"
#include "app/cli/options/model_options.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/output_options.h"
#include "app/output/shapes/shapes_info.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/model/inputs.h"
#include "app/tasks/shapes/shape_execution.h"
#include "app/tasks/shapes/shape_runner.h"
#include "app/tasks/shapes/shapes_run.h"
#include "app/tasks/verify/verify_settings.h"
#include "inspector/format/json_text.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

using core::Result;

constexpr std::int64_t shapesSchema = 1;

/// Runs a program with various input sizes.
class ShapesCommand final : public Command {
  public:
    ShapesCommand()
        : Command(
              "shapes",
              "Find the supported input sizes of a program, check its bounds, and measure time over size") {}

    [[nodiscard]] std::string details() const override {
        return "Upper bounds are the sizes that memory is planned for. With an ETRecord, lower bounds and "
               "relations between dimensions come from the export, and outputs are compared with its graph; "
               "without one, both are found by running. Sizes at, next to, below and beyond each bound are "
               "run, each in a separate process: legal sizes must give correct results, all others must fail "
               "or give the results of the graph. Then time and memory are measured over each dynamic size, "
               "on random inputs. The exit code is 1 if any size fails.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect shapes model.pte --etrecord model.etrecord",
                 "Check all bounds and measure all sizes"},
                {"et-inspect shapes model.pte --no-times", "Check only"},
                {"et-inspect shapes model.pte --dim d0=1..128:16 --format svg -o curve.svg",
                 "Draw time and memory at 1, 17, 33, ... 128"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    void addProcessOptions(OptionList& options);
    [[nodiscard]] Result<tasks::ExitCode> runOne(const Invocation& invocation);
    [[nodiscard]] std::string render(const tasks::ShapesResult& result) const;

    tasks::ShapesSettings settings{.model = {}, .options = tasks::confinedModel()};
    std::vector<std::string> dims;
    bool noChecks = false;
    bool noTimes = false;
    bool all = false;
    OutputFormat format = OutputFormat::Text;
    OutputOptions output;
    // Options of the process that runs one case.
    bool inProcess = false;
    bool locate = false;
    std::vector<std::string> sizes;
    std::vector<std::string> before;
};

void ShapesCommand::addOptions(OptionList& options) {
    options.file("MODEL", settings.model, "Program (.pte) or bundled program (.bpte)").mustBeGiven();
    options.group("Model");
    options.text("--method NAME", settings.options.method,
                 "Method to run (default: forward, or the only one)");
    addLibraryOptions(options, settings.options);
    addEmulationOptions(options, settings.options);
    options.group("Sizes");
    options.text(
        "--dim NAME=FIRST..LAST[:STEP]", dims,
        "Measure these sizes of a dimension, with the export sizes of all others (default: 17 sizes of "
        "each of the first three) (repeatable)");
    options.flag("--no-checks", noChecks, "Only measure");
    options.flag("--no-times", noTimes, "Only check");
    options.integer(
        "--iterations", settings.iterations,
        "Number of measured executions in each of two launches (default: as many as fit into 0.2 seconds)",
        1);
    addSeed(options, settings.options);
    addLimitOptions(options, settings.options);
    addTimeout(options, settings.options, "Stop checking after this many seconds");
    addSandbox(options, settings.options);
    options.group("Output");
    addFormat(options, format, {OutputFormat::Text, OutputFormat::Json, OutputFormat::Svg});
    options.flag("--all", all, "Also list passing sizes");
    addOutputFile(options, output);
    addProgressOptions(options, settings.progress);
    addProcessOptions(options);
}

/// Adds the options that runShapeApart() passes.
void ShapesCommand::addProcessOptions(OptionList& options) {
    options.flag(tasks::shapeInProcessOption, inProcess, "Run one case in this process").withoutHelp();
    options.flag(tasks::shapeLocateOption, locate, "Name the incorrect operator").withoutHelp();
    options.text(tasks::shapeSizesOption, sizes, "Sizes of the next input").withoutHelp();
    options.text(tasks::shapeBeforeOption, before, "Sizes of an input in a preceding run").withoutHelp();
}

Result<tasks::InputSizes> parseInputSizes(const std::vector<std::string>& texts) {
    tasks::InputSizes all;
    for (const std::string& each : texts) {
        auto given = tasks::sizesOf(each == tasks::noSizes ? std::string_view() : each);
        if (!given) {
            return core::fail(core::ErrorCode::InvalidArgument,
                              fmt::format("expected sizes such as 1x17, got \"{}\"", core::printable(each)));
        }
        all.push_back(*std::move(given));
    }
    return all;
}

Result<tasks::ExitCode> ShapesCommand::runOne(const Invocation& invocation) {
    tasks::ShapeTask task{
        .model = settings.model, .options = settings.options, .sizes = {}, .locate = locate};
    ET_ASSIGN(task.sizes, parseInputSizes(sizes));
    ET_ASSIGN(task.before, parseInputSizes(before));
    ET_TRY(confineModel(invocation.console, settings.options, {.files = {output.path}}));
    const tasks::InterruptionGuard guard;
    tasks::ProgressReporter watch({.mode = tasks::ProgressMode::None}, {}, settings.options.executionSeconds);
    watch.begin("run", 1);
    auto report = tasks::executeShape(task);
    watch.finish();
    if (const tasks::InterruptionInfo& end = tasks::infoOf(tasks::InterruptionGuard::cause());
        end.cause != tasks::Interruption::None) {
        return end.code;
    }
    ET_TRY(report);
    return fineAfter(deliver(invocation.console, output, tasks::producerOf(tasks::shapeReportJson(*report)),
                             {settings.model}));
}

std::string ShapesCommand::render(const tasks::ShapesResult& result) const {
    if (format == OutputFormat::Json) {
        return inspector::format::jsonDocument(shapesSchema, output::shapesInfo(result));
    }
    if (format == OutputFormat::Svg) {
        return output::shapesPicture(result);
    }
    return output::shapesText(result, all);
}

Result<tasks::ExitCode> ShapesCommand::run(const Invocation& invocation) {
    if (inProcess) {
        return runOne(invocation);
    }
    Console& console = invocation.console;
    settings.checks = !noChecks;
    settings.curves = !noTimes;
    for (const std::string& each : dims) {
        ET_ASSIGN(tasks::SizeRange range, tasks::parseSizeRange(each));
        settings.ranges.push_back(std::move(range));
    }
    // Each model runs in a separate sandboxed process.
    ET_ASSIGN(const std::string lack, tasks::sandboxLack(settings.options.sandbox));
    if (!lack.empty()) {
        console.warn(lack);
    }
    const tasks::InterruptionGuard guard;
    ET_ASSIGN(const tasks::ShapesResult result, tasks::runShapes(settings));
    console.warnAll(result.warnings);
    const std::vector<std::filesystem::path> inputs = tasks::Model::files(settings.model, settings.options);
    ET_TRY(deliver(console, output, tasks::producerOf(render(result)), inputs));
    if (const tasks::InterruptionInfo& end = tasks::infoOf(tasks::InterruptionGuard::cause());
        end.cause != tasks::Interruption::None) {
        console.complain(fmt::format("{} after {} sizes", end.message, result.cases.size()));
        return end.code;
    }
    return result.count(tasks::ShapeVerdict::Fail) > 0 ? tasks::ExitCode::CheckFailed : tasks::ExitCode::Fine;
}

}  // namespace

const CommandFactory makeShapesCommand = newCommand<ShapesCommand>;

}  // namespace et::cli
