#include "app/cli/commands/commands.h"
#include "app/cli/interruption_report.h"
#include "app/cli/output_options.h"
#include "app/output/lab/optimize_info.h"
#include "app/output/lab/quantize_recipe.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/lab/optimize_run.h"
#include "inspector/format/json_text.h"

#include <climits>
#include <string>
#include <vector>

namespace et::cli {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::int64_t optimizeSchema = 1;

/// Chooses which sites of a float model to quantize.
class OptimizeCommand final : public Command {
  public:
    OptimizeCommand()
        : Command("optimize",
                  "Choose the parts of a model to quantize within a budget of error, bytes or time") {}

    [[nodiscard]] std::string details() const override {
        return "Assigns a scheme, or float, to each site that quantize supports. The search starts with all "
               "sites in the first scheme and moves sites to float one by one, each time the one that "
               "reduces the error most; two neighbors are also tried together, because a tensor between "
               "them is float only if both are. Then sites get the scheme with the largest gain per byte, "
               "or per nanosecond, of the budget, and are exchanged while that improves the result. Errors "
               "of all variants are measured in the reference interpreter, bytes are those of built "
               "programs, and times are measured by running the programs alternately. The chosen program is "
               "run again before it is written, and delegates that slow it down are removed. --time limits "
               "all of this, including calibration; it and Ctrl-C keep the best result so far. The exit code "
               "is 4 if --time ends before there is a result.";
    }
    [[nodiscard]] std::vector<Glossary> glossaries() const override {
        return {{"Columns",
                 {{"in float", "Number of sites in float"},
                  {"SQNR", "Ratio of the power of the float outputs to the power of the error"},
                  {"error", "The same as a fraction: 40 dB are 1 %"},
                  {"bytes", "Size of the program"},
                  {"time", "Median time of a run; empty: not timed"}}}};
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect optimize model.etrecord --calibrate inputs.npz --evaluate others.npz",
                 "Show the error at each size and time"},
                {"et-inspect optimize model.etrecord --calibrate inputs.npz --budget sqnr=35dB -o q.pte",
                 "Write the smallest program with at least 35 dB"},
                {"et-inspect optimize model.etrecord --calibrate inputs.npz --budget bytes=1M -o q.pte "
                 "--etrecord-out q.etrecord --plot front.svg",
                 "Write the program of at most 1 MiB with the least error, its ETRecord, and a plot of all "
                 "programs"},
                {"et-inspect optimize model.etrecord --calibrate inputs.npz --budget time=3ms --timer "
                 "'./on_device.sh {}' -o q.pte",
                 "Measure times with a command that prints milliseconds"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<> checkOptions() const;
    void reportPoints();
    [[nodiscard]] Result<> show(const tasks::OptimizeResult& result, Console& console) const;

    tasks::OptimizeSettings settings;
    std::filesystem::path plot;
    bool recipe = false;
    OutputFormat format = OutputFormat::Text;
};

void OptimizeCommand::addOptions(OptionList& options) {
    addOptimizeOptions(options, settings);
    options.flag("--recipe", recipe, "Print Python code for the same quantization instead of the table");
    options.path("--plot FILE", plot, "Plot of all programs by error, bytes and time to write (.svg)");
    addFormat(options, format, {OutputFormat::Text, OutputFormat::Json});
    addProgressOptions(options, settings.progress);
}

Result<> OptimizeCommand::checkOptions() const {
    using Kind = tasks::OptimizeBudget::Kind;
    const bool chooses = !settings.output.empty() || !settings.recordOutput.empty() || recipe;
    if (chooses && settings.budget.kind == Kind::None) {
        return fail(ErrorCode::InvalidArgument,
                    "missing --budget: expected time=3ms, bytes=1M, sqnr=35dB or error=1%");
    }
    if (!settings.times && settings.budget.kind == Kind::Time) {
        return fail(ErrorCode::InvalidArgument, "--no-times cannot be combined with --budget time");
    }
    return plot.empty() ? Result<>()
                        : tasks::refuseToReplace(plot, {settings.what.record, settings.what.calibration,
                                                        settings.what.evaluation});
}

/// Adds a line to the progress for each program found.
void OptimizeCommand::reportPoints() {
    settings.found = [descriptor = settings.progress.descriptor](const tasks::OptimizeResult& result,
                                                                 const tasks::OptimizePoint& point) {
        const std::string line =
            output::jsonLine(output::Dict{{"progress", std::uint64_t{1}},
                                          {"phase", std::string("search")},
                                          {"point", output::optimizePointInfo(result, point)}});
        if (line.size() <= PIPE_BUF) {  // longer lines could be mixed with those of the reporter's thread
            static_cast<void>(tasks::writeTo(descriptor, "progress", tasks::producerOf(line)));
        }
    };
}

Result<> OptimizeCommand::show(const tasks::OptimizeResult& result, Console& console) const {
    if (!plot.empty()) {
        ET_TRY(tasks::writeFile(plot, tasks::producerOf(output::optimizePicture(result))));
    }
    if (recipe && result.choice) {
        return console.out(output::quantizeRecipe(result.choice->quantized, result.choice->settings));
    }
    return console.out(
        format == OutputFormat::Json
            ? inspector::format::jsonDocument(optimizeSchema, output::optimizeInfo(result, settings))
            : output::optimizeText(result, settings, OutputOptions().style(console)));
}

Result<tasks::ExitCode> OptimizeCommand::run(const Invocation& invocation) {
    ET_TRY(checkOptions());
    ET_TRY(tasks::checkFoldersOf({settings.output, settings.recordOutput, plot}));
    const tasks::InterruptionGuard guard;
    settings.what.cancel = &tasks::InterruptionGuard::requested();
    if (settings.progress.mode == tasks::ProgressMode::Json) {
        reportPoints();
    }
    const Result<tasks::OptimizeResult> result = tasks::optimizeSites(settings);
    if (!result && tasks::InterruptionGuard::cause() == tasks::Interruption::None) {
        if (result.error().code != ErrorCode::Cancelled) {
            return std::unexpected(result.error());
        }
        invocation.console.complain(result.error().message + ": nothing was written");
        return tasks::ExitCode::TimedOut;
    }
    if (result) {
        invocation.console.warnAll(result->warnings);
        ET_TRY(show(*result, invocation.console));
        if (!result->unmet.empty()) {
            return tasks::ExitCode::CheckFailed;
        }
    }
    return unlessInterrupted(invocation.console, tasks::ExitCode::Fine);
}

}  // namespace

const CommandFactory makeOptimizeCommand = newCommand<OptimizeCommand>;

}  // namespace et::cli
