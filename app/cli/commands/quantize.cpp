#include "app/cli/commands/commands.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/lab/quantize_info.h"
#include "app/output/lab/quantize_recipe.h"
#include "app/tasks/lab/quantize_run.h"
#include "app/tasks/sandbox/sandbox.h"
#include "inspector/format/json_text.h"

#include <string>
#include <vector>

namespace et::cli {
namespace {

using core::Result;

constexpr std::int64_t quantizeSchema = 1;

/// Builds a quantized program from the ETRecord of a float model.
class QuantizeCommand final : public Command {
  public:
    QuantizeCommand() : Command("quantize", "Quantize an ETRecord's float graph and lower it to XNNPACK") {}

    [[nodiscard]] std::string details() const override {
        return "Quantizes the sites of PT2E's XNNPACKQuantizer with its settings: int8, weights symmetric "
               "per channel, activations affine per tensor, batch norms folded. The float graph runs on the "
               "calibration inputs, one call after the other, and an observer chooses the range of each "
               "activation. Sites that stay in float are listed with the rule and the line of Python.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect quantize model.etrecord --calibrate inputs.npz -o q.pte",
             "Quantize everything that the exporter's quantizer would"},
            {"et-inspect quantize model.etrecord --calibrate cases.bpte --dry-run",
             "Show scales and the sites that would stay in float"},
            {"et-inspect quantize model.etrecord --calibrate inputs.npz --keep head --recipe > quantize.py",
             "Print the same quantization as code for the exporter"},
            {"et-inspect quantize model.etrecord --scheme w4a8-dynamic:32 -o q.pte",
             "Quantize weights to 4 bits, without calibration"},
            {"et-inspect quantize model.etrecord --calibrate inputs.npz --scheme-of "
             "layers.3=w4a8-dynamic:32,head=fp16 -o q.pte",
             "Use separate schemes for a layer and for the head"},
            {"et-inspect quantize model.etrecord --calibrate inputs.npz --keep head,conv2d_3 -o q.pte "
             "--etrecord-out q.etrecord",
             "Keep a module and a site in float, and write the ETRecord of the new program"}};
    }
    void addOptions(OptionList& options) override {
        addQuantizeOptions(options, settings);
        options.flag("--recipe", recipe, "Print Python code for the same quantization instead of the table");
        options.flag("--dry-run", dryRun, "Write nothing");
        addFormat(options, format, {OutputFormat::Text, OutputFormat::Json});
    }
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] std::string textOf(const tasks::QuantizeResult& result, const Console& console) const;

    tasks::QuantizeSettings settings;
    bool recipe = false;
    bool dryRun = false;
    OutputFormat format = OutputFormat::Text;
};

Result<tasks::ExitCode> QuantizeCommand::run(const Invocation& invocation) {
    if (dryRun) {
        settings.output.clear();
        settings.recordOutput.clear();
    } else if (settings.output.empty() && !recipe) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          "missing -o: name the program to write, or pass --dry-run or --recipe");
    }
    if (settings.sites.needsCalibration() && settings.calibration.empty()) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          "missing --calibrate: w8a8-static chooses ranges from inputs");
    }
    ET_TRY(confineOrWarn(invocation.console, tasks::SandboxMode::Auto,
                         {.files = {settings.output, settings.recordOutput}, .folders = {}}));
    ET_ASSIGN(const tasks::QuantizeResult result, tasks::quantize(settings));
    invocation.console.warnAll(result.warnings);
    return fineAfter(invocation.console.out(textOf(result, invocation.console)));
}

std::string QuantizeCommand::textOf(const tasks::QuantizeResult& result, const Console& console) const {
    if (recipe) {
        return output::quantizeRecipe(result, settings);
    }
    return format == OutputFormat::Json
               ? inspector::format::jsonDocument(quantizeSchema, output::quantizeInfo(result))
               : output::quantizeText(result, OutputOptions().style(console));
}

}  // namespace

const CommandFactory makeQuantizeCommand = newCommand<QuantizeCommand>;

}  // namespace et::cli
