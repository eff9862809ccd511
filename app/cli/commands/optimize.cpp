#include "app/cli/commands/commands.h"
#include "app/cli/commands/observer_choices.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/output_options.h"
#include "app/pages/lab/optimize_info.h"
#include "app/pages/lab/quantize_recipe.h"
#include "app/tasks/lab/optimize_run.h"
#include "app/tasks/output_file.h"
#include "app/tasks/run/interruption.h"
#include "inspector/format/json_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace et::app {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

enum class OptimizeFormat : std::uint8_t { Text, Json };

constexpr std::array optimizeFormats{Choice{"text", OptimizeFormat::Text},
                                     Choice{"json", OptimizeFormat::Json}};
constexpr std::int64_t optimizeSchema = 1;

/// Chooses which sites of a float model to quantize.
class OptimizeVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "optimize"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Choose which parts of a model to quantize, under a budget of error, bytes or time";
    }
    [[nodiscard]] std::string details() const override;
    [[nodiscard]] std::vector<Glossary> glossaries() const override;
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect optimize model.etrecord --calibrate inputs.npz --evaluate others.npz",
                 "Show what error each size and time would cost"},
                {"et-inspect optimize model.etrecord --calibrate inputs.npz --budget sqnr=35dB -o q.pte",
                 "Write the smallest program whose outputs have 35 dB at least"},
                {"et-inspect optimize model.etrecord --calibrate inputs.npz --budget bytes=1M -o q.pte "
                 "--etrecord-out q.etrecord --plot front.svg",
                 "Write the one with the least error of 1 MiB at most, its record, and a plot of all"},
                {"et-inspect optimize model.etrecord --calibrate inputs.npz --budget time=3ms --timer "
                 "'./on_device.sh {}' -o q.pte",
                 "Take times from a command that prints milliseconds"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<> readOptions();
    [[nodiscard]] Result<> show(const OptimizeResult& result, Console& console) const;

    OptimizeSettings settings;
    std::string budget;
    std::filesystem::path plot;
    bool recipe = false;
    bool noTimes = false;
    bool keepDelegates = false;
    std::vector<std::string> schemes;
    OptimizeFormat format = OptimizeFormat::Text;
};

std::string OptimizeVerb::details() const {
    return "Each site that quantize knows gets a scheme, or stays in float. From all of them with the first "
           "scheme, the one whose staying in float leaves the least error comes next, and so on; two "
           "neighbours are tried together, as a tensor between them is float only where both are. Then sites "
           "get whatever scheme gains most for each byte, or each nanosecond, of the budget, and are "
           "exchanged "
           "as long as that makes something better within it. Errors are measured with every variant in the "
           "reference interpreter, bytes are those of programs that are made, and times are measured with "
           "the "
           "programs running in turns. What is chosen is run once more before it is written, and delegates "
           "without which it is faster are left out. Ctrl-C ends the search, and the best so far counts.";
}

std::vector<Glossary> OptimizeVerb::glossaries() const {
    return {{"Columns",
             {{"in float", "How many sites are not quantized"},
              {"SQNR", "Power of the float outputs over that of the error"},
              {"error", "The same as a share: 40 dB are 1 %"},
              {"bytes", "Of the program"},
              {"time", "Median of a run; empty: it was not timed"}}}};
}

void OptimizeVerb::addOptions(OptionList& options) {
    options.group("Input");
    options.file("ETRECORD", settings.what.record, "ETRecord of a float model, with its weights")
        .mustBeGiven();
    options
        .path("--calibrate", settings.what.calibration,
              "Inputs to choose ranges from: tensors (.npz, .npy, .pt), one call or several each, a bundled "
              "program (.bpte), or a folder of tensor files")
        .takes(fileValue)
        .mustBeGiven();
    options
        .path("--evaluate", settings.what.evaluation,
              "Inputs to compare outputs on (default: those of --calibrate)")
        .takes(fileValue);
    options.integer("--cases", settings.what.maxCases, "Run at most this many calls of each (default: 64)",
                    1);
    options.text("--method", settings.what.method, "Method to quantize (default: the only one, or forward)")
        .takes("NAME");
    options.group("Search");
    options
        .text("--budget", budget,
              "What the program must respect: time=3ms or bytes=1M (the least error within it), sqnr=35dB "
              "(the smallest program with it)")
        .takes("BUDGET");
    addRangeOptions(options, settings.what.observer, settings.what.keep);
    options
        .text("--schemes", schemes,
              "Schemes that sites may have beside float, the one to begin with first (default: w8a8-static, "
              "w8a8-dynamic, w4a8-dynamic:32, fp16, w8)")
        .takes("SCHEME,...")
        .separatedByCommas();
    options.flag("--keep-delegates", keepDelegates,
                 "Leave all delegates of what is chosen as they are, whatever they cost");
    options.number("--seconds", settings.seconds,
                   "Measure no further variant after this many seconds (default: 60)",
                   "a time of 0 to 86400 seconds",
                   [](double value) { return std::isfinite(value) && value >= 0 && value <= 86400; });
    options.integer("--search-threads", settings.what.threads,
                    "Threads that run variants (default: one for each processor)", 1);
    options.group("Times");
    options
        .text("--timer", settings.command,
              "Command that runs a program, {} in it, and whose last line begins with milliseconds")
        .takes("COMMAND");
    options.integer("--threads", settings.timingThreads,
                    "Threads of programs that are timed here (default: 1)", 1);
    options.flag("--no-times", noTimes, "Time nothing").notWith("--timer");
    options.group("Output");
    options.path("-o,--output", settings.output, "Program to write (.pte)").takes(fileValue);
    options.path("--etrecord-out", settings.recordOutput, "ETRecord to write for that program")
        .takes(fileValue);
    options.flag("--recipe", recipe,
                 "Print Python that quantizes the model in the same way, instead of the table");
    options.path("--plot", plot, "Picture of all programs by error, bytes and time to write (.svg)")
        .takes(fileValue);
    options.choice("--format", format, optimizeFormats, "Output format (default: text)");
    addProgressOptions(options, settings.progress);
}

Result<> OptimizeVerb::readOptions() {
    if (!budget.empty()) {
        ET_ASSIGN(settings.budget, parseOptimizeBudget(budget));
    } else if (!settings.output.empty() || !settings.recordOutput.empty() || recipe) {
        return fail(ErrorCode::InvalidArgument,
                    "--budget is missing: it says which program is to be chosen (time=3ms, bytes=1M or "
                    "sqnr=35dB)");
    }
    settings.timer = noTimes                    ? CandidateTimer::None
                     : settings.command.empty() ? CandidateTimer::Here
                                                : CandidateTimer::Command;
    if (noTimes && settings.budget.kind == OptimizeBudget::Kind::Time) {
        return fail(ErrorCode::InvalidArgument, "--no-times contradicts --budget time");
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
        ET_TRY(refuseToReplace(plot,
                               {settings.what.record, settings.what.calibration, settings.what.evaluation}));
    }
    return {};
}

Result<> OptimizeVerb::show(const OptimizeResult& result, Console& console) const {
    if (!plot.empty()) {
        ET_TRY(writeFile(plot, producerOf(optimizePicture(result))));
    }
    if (recipe && result.choice) {
        return console.out(quantizeRecipe(result.choice->quantized, result.choice->settings));
    }
    return console.out(format == OptimizeFormat::Json
                           ? inspector::report::jsonDocument(optimizeSchema, optimizeInfo(result, settings))
                           : optimizeText(result, settings, OutputOptions().style(console)));
}

Result<ExitCode> OptimizeVerb::run(const Invocation& invocation) {
    ET_TRY(readOptions());
    const InterruptionGuard guard;
    settings.what.cancel = &InterruptionGuard::requested();
    const Result<OptimizeResult> result = optimizeSites(settings);
    const InterruptionInfo& end = infoOf(InterruptionGuard::cause());
    const bool isEarly = end.cause != Interruption::None;
    if (!result && !isEarly) {
        return std::unexpected(result.error());
    }
    if (result) {
        ET_TRY(show(*result, invocation.console));
        if (!result->unmet.empty()) {
            return ExitCode::CheckFailed;
        }
    }
    if (isEarly) {
        invocation.console.complain(end.message);
        return end.code;
    }
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeOptimizeVerb() {
    return std::make_unique<OptimizeVerb>();
}

}  // namespace et::app
