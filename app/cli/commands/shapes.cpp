#include "app/cli/commands/commands.h"
#include "app/cli/interruption_report.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/shapes/shapes_info.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/model/model.h"
#include "app/tasks/shapes/shape_execution.h"
#include "app/tasks/shapes/shape_runner.h"
#include "app/tasks/shapes/shapes_run.h"
#include "inspector/format/json_text.h"

#include <fmt/format.h>

#include <string>
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
    [[nodiscard]] Result<tasks::ExitCode> runOne(const Invocation& invocation);
    [[nodiscard]] std::string render(const tasks::ShapesResult& result) const;

    tasks::ShapesSettings settings;
    bool all = false;
    OutputFormat format = OutputFormat::Text;
    OutputOptions output;
    bool inProcess = false;
    tasks::ShapeTask task;  ///< of the process that runs one case
};

void ShapesCommand::addOptions(OptionList& options) {
    addShapesOptions(options, settings);
    options.group("Output");
    addFormat(options, format, {OutputFormat::Text, OutputFormat::Json, OutputFormat::Svg});
    options.flag("--all", all, "Also list passing sizes");
    addOutputFile(options, output);
    addProgressOptions(options, settings.progress);
    options.flag(tasks::shapeInProcessOption, inProcess, "Run one case in this process").withoutHelp();
    addShapeTaskOptions(options, task);
}

Result<tasks::ExitCode> ShapesCommand::runOne(const Invocation& invocation) {
    task.model = settings.model;
    task.options = settings.options;
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
    const bool fails = result.count(tasks::ShapeVerdict::Fail) > 0;
    return unlessInterrupted(console, fails ? tasks::ExitCode::CheckFailed : tasks::ExitCode::Fine,
                             fmt::format("after {} sizes", result.cases.size()));
}

}  // namespace

const CommandFactory makeShapesCommand = newCommand<ShapesCommand>;

}  // namespace et::cli
