#include "app/cli/actions.h"
#include "app/cli/commands/commands.h"
#include "app/cli/interruption_report.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/pipeline/pipeline_info.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/pipeline/host_steps.h"
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
               "is that of host steps and of copying tensors between stages.";
    }
    [[nodiscard]] std::vector<Glossary> glossaries() const override {
        return {actionGlossary(actions()), glossaryOf("Host steps", tasks::hostSteps())};
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect sample diffusion", "Write a sample pipeline"},
                {"et-inspect pipeline run diffusion.toml", "Run it, and show outputs, times and memory"},
                {"et-inspect pipeline profile diffusion.toml --iterations 20 --format csv",
                 "Measure each stage and iteration"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override {
        return runAction(*this, actions(), action, manifests.size(), invocation);
    }

  private:
    static std::span<const Action<PipelineCommand>> actions();

    [[nodiscard]] Result<tasks::ExitCode> runOnce(const Invocation& invocation);
    [[nodiscard]] Result<tasks::ExitCode> profile(const Invocation& invocation);
    [[nodiscard]] Result<tasks::ExitCode> measure(const Invocation& invocation, bool byIteration);

    std::string action;
    std::vector<std::filesystem::path> manifests;
    tasks::PipelineSettings settings;
    std::optional<std::size_t> iterations;
    std::optional<std::size_t> warmup;
    OutputFormat format = OutputFormat::Text;
    OutputOptions output;
    tasks::ProgressOptions progress;
};

std::span<const Action<PipelineCommand>> PipelineCommand::actions() {
    static constexpr std::array table{
        Action<PipelineCommand>{"run", "FILE: run it once", 1, 1, "a manifest", &PipelineCommand::runOnce},
        Action<PipelineCommand>{"profile", "FILE: measure each stage and iteration", 1, 1, "a manifest",
                                &PipelineCommand::profile},
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
    options.group("Output");
    addFormat(options, format, {OutputFormat::Text, OutputFormat::Json, OutputFormat::Csv});
    addOutputOptions(options, output);
    addProgressOptions(options, progress);
}

Result<tasks::ExitCode> PipelineCommand::measure(const Invocation& invocation, bool byIteration) {
    Console& console = invocation.console;
    settings.manifest = manifests.front();
    ET_TRY(confineModel(console, settings.model, {.files = {output.path}}));
    const tasks::InterruptionGuard guard;
    tasks::ProgressReporter watch(progress, settings.model.timeoutSeconds, settings.model.executionSeconds);
    auto ran = tasks::runPipeline(settings, watch);
    watch.finish();
    ET_ASSIGN(const tasks::PipelineResult result, std::move(ran));
    const std::string text =
        format == OutputFormat::Json  ? output::jsonDocument(pipelineSchema, output::pipelineInfo(result))
        : format == OutputFormat::Csv ? output::render(output::pipelineCalls(result), output::Format::Csv)
                                      : output::pipelineText(result, byIteration, output.style(console));
    ET_TRY(deliver(console, output, tasks::producerOf(text), manifests));
    return unlessInterrupted(console, tasks::ExitCode::Fine);
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
