#include "app/cli/commands/commands.h"
#include "app/cli/commands/observer_choices.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/output_options.h"
#include "app/output/lab/optimize_info.h"
#include "app/output/lab/quantize_recipe.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/lab/optimize_run.h"
#include "inspector/format/json_text.h"

#include <fmt/format.h>

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
               "reduces the error most; two neighbors are also tried together, because a tensor between them "
               "is float only if both are. Then sites get the scheme with the largest gain per byte, or per "
               "nanosecond, of the budget, and are exchanged while that improves the result. Errors of all "
               "variants are measured in the reference interpreter, bytes are those of built programs, and "
               "times are measured by running the programs alternately. The chosen program is run again "
               "before it is written, and delegates that slow it down are removed. Ctrl-C ends the search "
               "and keeps the best result.";
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
    [[nodiscard]] Result<> readOptions();
    [[nodiscard]] Result<> show(const tasks::OptimizeResult& result, Console& console) const;

    tasks::OptimizeSettings settings;
    std::string budget;
    std::filesystem::path plot;
    bool recipe = false;
    bool noTimes = false;
    bool keepDelegates = false;
    std::vector<std::string> schemes;
    OutputFormat format = OutputFormat::Text;
};

void OptimizeCommand::addOptions(OptionList& options) {
    options.group("Input");
    options.file("ETRECORD", settings.what.record, "ETRecord of a float model, with its weights")
        .mustBeGiven();
    options
        .path("--calibrate FILE", settings.what.calibration,
              "Inputs for choosing ranges: tensors (.npz, .npy, .pt), with one or more calls each, a bundled "
              "program (.bpte), or a folder of tensor files")
        .mustBeGiven();
    options.path("--evaluate FILE", settings.what.evaluation,
                 "Inputs for comparing outputs (default: those of --calibrate)");
    options.integer("--cases", settings.what.maxCases, "Maximum number of calls to run of each (default: 64)",
                    1);
    options.text("--method NAME", settings.what.method,
                 "Method to quantize (default: the only one, or forward)");
    options.group("Search");
    options.text("--budget BUDGET", budget,
                 "Budget: time=3ms or bytes=1M (least error within it), sqnr=35dB (smallest program that "
                 "reaches it)");
    addRangeOptions(options, settings.what.observer, settings.what.keep);
    options.text("--schemes SCHEME,...", schemes,
                 "Schemes to use besides float; the first is the initial one (default: w8a8-static, "
                 "w8a8-dynamic, w4a8-dynamic:32, fp16, w8)");
    options.flag("--keep-delegates", keepDelegates,
                 "Keep all delegates of the chosen program, even slower ones");
    options.number("--seconds", settings.seconds,
                   "Stop starting measurements after this many seconds (default: 60)",
                   "a time of 0 to 86400 seconds", {.least = 0, .most = 86400});
    options.integer("--search-threads", settings.what.threads,
                    "Number of threads that run variants (default: one per CPU core)", 1);
    options.group("Times");
    options.text("--timer COMMAND", settings.command,
                 "Command that runs the program {} and prints milliseconds at the start of its last line");
    options.integer("--threads", settings.timingThreads,
                    "Number of threads of programs timed here (default: 1)", 1);
    options.flag("--no-times", noTimes, "Time nothing").notWith("--timer");
    options.group("Output");
    options.path("-o,--output FILE", settings.output, "Program to write (.pte)");
    options.path("--etrecord-out FILE", settings.recordOutput, "ETRecord to write for that program");
    options.flag("--recipe", recipe, "Print Python code for the same quantization instead of the table");
    options.path("--plot FILE", plot, "Plot of all programs by error, bytes and time to write (.svg)");
    addFormat(options, format, {OutputFormat::Text, OutputFormat::Json});
    addProgressOptions(options, settings.progress);
}

Result<> OptimizeCommand::readOptions() {
    if (!budget.empty()) {
        ET_ASSIGN(settings.budget, tasks::parseOptimizeBudget(budget));
    } else if (!settings.output.empty() || !settings.recordOutput.empty() || recipe) {
        return fail(ErrorCode::InvalidArgument, "missing --budget: expected time=3ms, bytes=1M or sqnr=35dB");
    }
    settings.timer = noTimes                    ? tasks::CandidateTimer::None
                     : settings.command.empty() ? tasks::CandidateTimer::Here
                                                : tasks::CandidateTimer::Command;
    if (noTimes && settings.budget.kind == tasks::OptimizeBudget::Kind::Time) {
        return fail(ErrorCode::InvalidArgument, "--no-times cannot be combined with --budget time");
    }
    if (!schemes.empty()) {
        settings.schemes.clear();
        for (const std::string& each : schemes) {
            auto scheme = backends::xnnpack::parseScheme(each);
            if (!scheme) {
                return fail(scheme.error().code, fmt::format("--schemes: {}", scheme.error().message));
            }
            settings.schemes.push_back(*scheme);
        }
    }
    settings.delegatesByTime = !keepDelegates;
    if (!plot.empty()) {
        ET_TRY(tasks::refuseToReplace(
            plot, {settings.what.record, settings.what.calibration, settings.what.evaluation}));
    }
    return {};
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
    ET_TRY(readOptions());
    const tasks::InterruptionGuard guard;
    settings.what.cancel = &tasks::InterruptionGuard::requested();
    const Result<tasks::OptimizeResult> result = tasks::optimizeSites(settings);
    const tasks::InterruptionInfo& end = tasks::infoOf(tasks::InterruptionGuard::cause());
    const bool isEarly = end.cause != tasks::Interruption::None;
    if (!result && !isEarly) {
        return std::unexpected(result.error());
    }
    if (result) {
        ET_TRY(show(*result, invocation.console));
        if (!result->unmet.empty()) {
            return tasks::ExitCode::CheckFailed;
        }
    }
    if (isEarly) {
        invocation.console.complain(end.message);
        return end.code;
    }
    return tasks::ExitCode::Fine;
}

}  // namespace

const CommandFactory makeOptimizeCommand = newCommand<OptimizeCommand>;

}  // namespace et::cli
