#include "app/cli/actions.h"
#include "app/cli/commands/commands.h"
#include "app/cli/interruption_report.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/pipeline/pipeline_checks.h"
#include "app/output/pipeline/pipeline_info.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/pipeline/host_steps.h"
#include "app/tasks/pipeline/pipeline_compare.h"
#include "app/tasks/pipeline/pipeline_gap.h"
#include "app/tasks/pipeline/pipeline_run.h"

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

using core::Result;

constexpr std::int64_t pipelineSchema = 1;

/// Runs pipelines of several programs.
class PipelineCommand final : public Command {
  public:
    PipelineCommand() : Command("pipeline", "Run, profile and check a pipeline of programs and host steps") {}

    [[nodiscard]] std::string details() const override {
        return "A manifest (TOML, docs/how_to/pipelines.md) lists programs, inputs, and stages: calls of "
               "methods, host steps, and loops with a count or a stop condition. Programs are loaded once "
               "and "
               "keep their state from call to call. Times are medians over the repetitions; the host's share "
               "is that of host steps and of copying tensors between stages. gap and verify run the same "
               "pipeline on the graphs of the ETRecords. The own error of a stage is that against the graph "
               "on "
               "the same inputs; the error at its first and last call has accumulated since the first stage. "
               "Errors are norms of the difference relative to the reference; integers must be equal. Exit "
               "codes of gap and verify: 0; 1, a stage diverges; 3, a file cannot be read or run.";
    }
    [[nodiscard]] std::vector<Glossary> glossaries() const override {
        return {actionGlossary(actions()), glossaryOf("Host steps", tasks::hostSteps())};
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect sample diffusion", "Write a sample pipeline"},
            {"et-inspect pipeline run diffusion.toml", "Run it, and show outputs, times and memory"},
            {"et-inspect pipeline profile diffusion.toml --iterations 20 --format csv",
             "Measure each stage and iteration"},
            {"et-inspect pipeline gap diffusion.toml", "Find the first stage that differs from the graph"},
            {"et-inspect pipeline verify diffusion.toml diffusion_int8.toml --tolerance 0.05",
             "Compare two variants"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override {
        return runAction(*this, actions(), action, manifests.size(), invocation);
    }

  private:
    static std::span<const Action<PipelineCommand>> actions();

    [[nodiscard]] Result<tasks::ExitCode> runOnce(const Invocation& invocation);
    [[nodiscard]] Result<tasks::ExitCode> profile(const Invocation& invocation);
    [[nodiscard]] Result<tasks::ExitCode> gap(const Invocation& invocation);
    [[nodiscard]] Result<tasks::ExitCode> verify(const Invocation& invocation);
    [[nodiscard]] Result<> begin(Console& console);
    [[nodiscard]] Result<> deliverText(Console& console, const std::string& text) const;
    [[nodiscard]] Result<tasks::ExitCode> checkAgainstRecords(const Invocation& invocation, bool byIteration);
    [[nodiscard]] Result<tasks::ExitCode> measure(const Invocation& invocation, bool byIteration);

    std::string action;
    std::vector<std::filesystem::path> manifests;
    tasks::PipelineSettings settings;
    std::optional<std::size_t> iterations;
    std::optional<std::size_t> warmup;
    double tolerance = tasks::usualPipelineTolerance;
    OutputFormat format = OutputFormat::Text;
    OutputOptions output;
    tasks::ProgressOptions progress;
};

std::span<const Action<PipelineCommand>> PipelineCommand::actions() {
    static constexpr std::array table{
        Action<PipelineCommand>{"run", "FILE: run it once", 1, 1, "a manifest", &PipelineCommand::runOnce},
        Action<PipelineCommand>{"profile", "FILE: measure each stage and iteration", 1, 1, "a manifest",
                                &PipelineCommand::profile},
        Action<PipelineCommand>{
            "verify", "FILE [OTHER]: check each stage against its ETRecord, or against another variant", 1, 2,
            "one or two manifests", &PipelineCommand::verify},
        Action<PipelineCommand>{"gap", "FILE: show the error of each stage and iteration", 1, 1, "a manifest",
                                &PipelineCommand::gap},
    };
    return table;
}

void PipelineCommand::addOptions(OptionList& options) {
    addActionArgument(options, actions(), action);
    options.file("FILE", manifests, "Manifest of the pipeline (.toml)");
    addPipelineOptions(options, settings);
    options.group("Measuring");
    options.integer("--iterations", iterations, "Number of measured runs (default: 1, profile: 10)", 1);
    options.integer("--warmup", warmup, "Number of runs before them (default: 0, profile: 1)");
    options.group("Comparison");
    options.number("--tolerance ERROR", tolerance,
                   "Largest relative error of a stage (default: 0.001); 0: equal numbers", "at least 0",
                   {.least = 0, .below = 1e9});
    options.group("Output");
    addFormat(options, format, {OutputFormat::Text, OutputFormat::Json, OutputFormat::Csv});
    addOutputOptions(options, output);
    addProgressOptions(options, progress);
}

Result<> PipelineCommand::begin(Console& console) {
    settings.manifest = manifests.front();
    return confineModel(console, settings.model, {.files = {output.path}});
}

Result<> PipelineCommand::deliverText(Console& console, const std::string& text) const {
    return deliver(console, output, tasks::producerOf(text), manifests);
}

Result<tasks::ExitCode> PipelineCommand::measure(const Invocation& invocation, bool byIteration) {
    Console& console = invocation.console;
    ET_TRY(begin(console));
    const tasks::InterruptionGuard guard;
    tasks::ProgressReporter watch(progress, settings.model.timeoutSeconds, settings.model.executionSeconds);
    auto ran = tasks::runPipeline(settings, watch);
    watch.finish();
    ET_ASSIGN(const tasks::PipelineResult result, std::move(ran));
    ET_TRY(deliverText(console, format == OutputFormat::Json
                                    ? output::jsonDocument(pipelineSchema, output::pipelineInfo(result))
                                : format == OutputFormat::Csv
                                    ? output::render(output::pipelineCalls(result), output::Format::Csv)
                                    : output::pipelineText(result, byIteration, output.style(console))));
    return unlessInterrupted(console, tasks::ExitCode::Fine);
}

Result<tasks::ExitCode> PipelineCommand::checkAgainstRecords(const Invocation& invocation, bool byIteration) {
    Console& console = invocation.console;
    ET_TRY(begin(console));
    const tasks::InterruptionGuard guard;
    tasks::ProgressReporter watch(progress, settings.model.timeoutSeconds, settings.model.executionSeconds);
    auto measured = tasks::measurePipelineGap(settings, tolerance, watch);
    watch.finish();
    ET_ASSIGN(const tasks::PipelineGapResult result, std::move(measured));
    ET_TRY(deliverText(console, format == OutputFormat::Json
                                    ? output::jsonDocument(pipelineSchema, output::pipelineGapInfo(result))
                                : format == OutputFormat::Csv
                                    ? output::render(output::pipelineGapTable(result), output::Format::Csv)
                                    : output::pipelineGapText(result, byIteration, output.style(console))));
    return unlessInterrupted(console,
                             result.divergence ? tasks::ExitCode::CheckFailed : tasks::ExitCode::Fine);
}

Result<tasks::ExitCode> PipelineCommand::gap(const Invocation& invocation) {
    return checkAgainstRecords(invocation, true);
}

Result<tasks::ExitCode> PipelineCommand::verify(const Invocation& invocation) {
    if (manifests.size() == 1) {
        return checkAgainstRecords(invocation, false);
    }
    Console& console = invocation.console;
    ET_TRY(begin(console));
    const tasks::InterruptionGuard guard;
    tasks::ProgressReporter watch(progress, settings.model.timeoutSeconds, settings.model.executionSeconds);
    auto compared = tasks::comparePipelines(settings, manifests.back(), tolerance, watch);
    watch.finish();
    ET_ASSIGN(const tasks::PipelineComparison result, std::move(compared));
    ET_TRY(deliverText(console, format == OutputFormat::Json
                                    ? output::jsonDocument(pipelineSchema, output::comparisonInfo(result))
                                : format == OutputFormat::Csv
                                    ? output::render(output::comparisonTable(result), output::Format::Csv)
                                    : output::comparisonText(result, output.style(console))));
    return unlessInterrupted(console, result.first ? tasks::ExitCode::CheckFailed : tasks::ExitCode::Fine);
}

Result<tasks::ExitCode> PipelineCommand::runOnce(const Invocation& invocation) {
    settings.repetitions = {.warmup = warmup.value_or(0), .measured = iterations.value_or(1)};
    return measure(invocation, false);
}

Result<tasks::ExitCode> PipelineCommand::profile(const Invocation& invocation) {
    constexpr std::size_t usual = 10;
    settings.repetitions = {.warmup = warmup.value_or(1), .measured = iterations.value_or(usual)};
    return measure(invocation, true);
}

}  // namespace

const CommandFactory makePipelineCommand = newCommand<PipelineCommand>;

}  // namespace et::cli
