#include "app/cli/commands/commands.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/lab/sensitivity_info.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/lab/sensitivity_run.h"
#include "app/tasks/sandbox/sandbox.h"
#include "inspector/format/json_text.h"

#include <string>

namespace et::cli {
namespace {

using core::Result;

constexpr std::int64_t sensitivitySchema = 1;

/// Measures how quantizing each site of a float model changes its outputs.
class SensitivityCommand final : public Command {
  public:
    SensitivityCommand()
        : Command("sensitivity", "Measure how quantizing each part of a model changes its outputs") {}

    [[nodiscard]] std::string details() const override {
        return "Each site that quantize supports is quantized by itself (as a whole, only its weight, only "
               "its activations), and all sites except it are quantized. Each variant runs on the evaluation "
               "inputs, and its outputs are compared with those of the float graph: SQNR, cosine, agreement "
               "of the largest element, KL divergence. For a quantized ETRecord, the quantizers are removed "
               "site by site: those of ETRECORD, or with --quantized those of another ETRecord of the same "
               "model.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect sensitivity model.etrecord --calibrate inputs.npz --evaluate others.npz",
             "Find the most expensive sites"},
            {"et-inspect sensitivity model.etrecord --calibrate inputs.npz --format json | jq -r "
             "'.ranking_only[0]'",
             "Print the most sensitive site"},
            {"et-inspect sensitivity model.etrecord --calibrate inputs.npz --evaluate others.npz --remedies",
             "Find remedies without training"},
            {"et-inspect sensitivity q8.etrecord --evaluate others.npz",
             "Measure the quantizers of the exporter"},
            {"et-inspect sensitivity float.etrecord --quantized q8.etrecord --evaluate others.npz",
             "Also include its weights, against the float model"}};
    }
    void addOptions(OptionList& options) override {
        addSensitivityOptions(options, settings);
        options.group("Output");
        addFormat(options, format, {OutputFormat::Text, OutputFormat::Json});
        addProgressOptions(options, progress);
    }
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<tasks::SensitivityResult> measure() const;

    tasks::SensitivitySettings settings{.record = {}, .calibration = {}, .evaluation = {}};
    tasks::ProgressOptions progress;
    OutputFormat format = OutputFormat::Text;
};

Result<tasks::SensitivityResult> SensitivityCommand::measure() const {
    tasks::ProgressReporter watch(progress, std::nullopt);
    std::size_t told = 0;
    auto result = tasks::measureSensitivity(settings, [&](std::size_t done, std::size_t all) {
        if (told == 0) {
            watch.begin("sensitivity", all);
        }
        for (; told < done; ++told) {
            watch.step();
        }
    });
    watch.finish();
    return result;
}

Result<tasks::ExitCode> SensitivityCommand::run(const Invocation& invocation) {
    ET_TRY(confineOrWarn(invocation.console, tasks::SandboxMode::Auto, {.files = {}, .folders = {}}));
    const tasks::InterruptionGuard guard;
    settings.cancel = &tasks::InterruptionGuard::requested();
    ET_ASSIGN(const tasks::SensitivityResult result, measure());
    invocation.console.warnAll(result.warnings);
    const std::string text =
        format == OutputFormat::Json
            ? inspector::format::jsonDocument(sensitivitySchema, output::sensitivityInfo(result))
            : output::sensitivityText(result, OutputOptions().style(invocation.console));
    return fineAfter(invocation.console.out(text));
}

}  // namespace

const CommandFactory makeSensitivityCommand = newCommand<SensitivityCommand>;

}  // namespace et::cli
