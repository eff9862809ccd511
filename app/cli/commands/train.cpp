#include "app/cli/commands/commands.h"
#include "app/cli/interruption_report.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/train/train_report.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/train/train_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

using core::Result;

/// Trains the parameters of a program.
class TrainCommand final : public Command {
  public:
    TrainCommand() : Command("train", "Train a program that computes gradients, and write a checkpoint") {}

    [[nodiscard]] std::string details() const override {
        return "The program must be exported with its backward pass: torch.export.experimental."
               "_export_forward_backward(). Each step executes it on one batch and updates the parameters "
               "from their gradients. Without --input, the batches are the cases of a bundled program, "
               "otherwise random. A file of --input (.npz, .npy, .pt) has a tensor for each input, with as "
               "many rows as several batches, or with the batches as first dimension; batches repeat when "
               "the data end. sgd computes the same as ExecuTorch's optimizer; the others follow "
               "torch.optim. The loss of a step is that before its update. A NaN or infinite loss ends the "
               "training; nothing is written and the exit code is 1. A checkpoint contains the parameters "
               "by name, not the state of the optimizer. Ctrl-C ends the training and writes the "
               "checkpoint. 'verify --gradients' checks the gradients.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect train train.pte --input train_data.npz --steps 50 --lr 0.1",
                 "Train for 50 steps, and show the loss"},
                {"et-inspect train train.pte --input train_data.npz --optimizer adam --shuffle --checkpoint "
                 "trained.ptd",
                 "Train on shuffled rows, and write the parameters"},
                {"et-inspect train train.pte --input train_data.npz --resume trained.ptd --svg loss.svg",
                 "Continue, and draw the loss"}};
    }
    void addOptions(OptionList& options) override {
        addTrainOptions(options, settings);
        options.group("Output");
        addFormat(options, format, {OutputFormat::Text, OutputFormat::Json, OutputFormat::Csv},
                  "Output format", "; csv: a row per step");
        options.path("--svg", svgPath, "Also write a plot of the loss to this file (SVG)");
        addOutputOptions(options, output);
        addProgressOptions(options, progress);
    }
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] std::string render(const tasks::TrainResult& result, const Console& console) const;

    tasks::TrainSettings settings;
    OutputFormat format = OutputFormat::Text;
    std::filesystem::path svgPath;
    OutputOptions output;
    tasks::ProgressOptions progress;
};

std::string TrainCommand::render(const tasks::TrainResult& result, const Console& console) const {
    if (format == OutputFormat::Json) {
        return output::trainJson(settings, result);
    }
    return format == OutputFormat::Csv ? output::trainCsv(result)
                                       : output::trainText(settings, result, output.style(console));
}

Result<tasks::ExitCode> TrainCommand::run(const Invocation& invocation) {
    Console& console = invocation.console;
    const std::vector<std::filesystem::path> inputs = tasks::Model::files(settings.program, settings.model);
    ET_TRY(tasks::refuseToReplace(svgPath, inputs));
    ET_TRY(confineModel(console, settings.model, {.files = {settings.checkpoint, svgPath, output.path}}));
    const tasks::InterruptionGuard guard;
    tasks::ProgressReporter watch(progress, settings.model.timeoutSeconds, settings.model.executionSeconds);
    auto trained = tasks::train(settings, watch, [&](std::string_view line) { console.complain(line); });
    watch.finish();
    ET_ASSIGN(const tasks::TrainResult result, std::move(trained));
    if (!svgPath.empty()) {
        ET_TRY(tasks::writeFile(svgPath, tasks::producerOf(output::trainPicture(settings, result))));
    }
    ET_TRY(deliver(console, output, tasks::producerOf(render(result, console)), inputs));
    return unlessInterrupted(console, result.diverged ? tasks::ExitCode::CheckFailed : tasks::ExitCode::Fine,
                             fmt::format("after {} of {} steps", result.steps.size(), settings.steps),
                             result.interruption);
}

}  // namespace

const CommandFactory makeTrainCommand = newCommand<TrainCommand>;

}  // namespace et::cli
