#include "app/cli/commands/commands.h"
#include "app/cli/commands/observer_choices.h"
#include "app/cli/options/model_options.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/output_options.h"
#include "app/pages/lab/sensitivity_info.h"
#include "app/tasks/lab/sensitivity_run.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/sandbox/sandbox.h"
#include "inspector/format/json_text.h"

#include <array>
#include <memory>
#include <string>

namespace et::app {
namespace {

using core::Result;

enum class SensitivityFormat : std::uint8_t { Text, Json };

constexpr std::array sensitivityFormats{Choice{"text", SensitivityFormat::Text},
                                        Choice{"json", SensitivityFormat::Json}};
constexpr std::int64_t sensitivitySchema = 1;

/// Measures how quantizing each site of a float model changes its outputs.
class SensitivityVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "sensitivity"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Measure what quantizing each part of a model does to its outputs";
    }
    [[nodiscard]] std::string details() const override {
        return "Every site that quantize knows is quantized alone, as a whole, its weight alone and its "
               "activations alone; and all sites but it. Each variant runs on the evaluation inputs, and its "
               "outputs are compared with those of the float graph: SQNR, cosine, agreement of the largest "
               "element, KL divergence. The quantizers of a record that is quantized are taken out, site by "
               "site: of ETRECORD itself, or with --quantized those of another record of the same model.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect sensitivity model.etrecord --calibrate inputs.npz --evaluate others.npz",
             "Find what costs most"},
            {"et-inspect sensitivity model.etrecord --calibrate inputs.npz --format json | jq -r "
             "'.ranking_only[0]'",
             "Name the most sensitive site"},
            {"et-inspect sensitivity model.etrecord --calibrate inputs.npz --evaluate others.npz --remedies",
             "Find what helps without training"},
            {"et-inspect sensitivity q8.etrecord --evaluate others.npz",
             "Measure the quantizers that the exporter made"},
            {"et-inspect sensitivity float.etrecord --quantized q8.etrecord --evaluate others.npz",
             "The same with its weights, against the float model"}};
    }
    void addOptions(OptionList& options) override {
        options.group("Input");
        options
            .file("ETRECORD", settings.record,
                  "ETRecord of a float or a statically quantized model, with its weights")
            .mustBeGiven();
        options
            .path("--calibrate", settings.calibration,
                  "Inputs to choose ranges from: tensors (.npz, .npy, .pt), one call or several each, a "
                  "bundled program (.bpte), or a folder of tensor files; a float record alone needs them")
            .takes(fileValue);
        options
            .path("--evaluate", settings.evaluation,
                  "Inputs to compare outputs on (default: those of --calibrate)")
            .takes(fileValue);
        options
            .path("--quantized", settings.quantized,
                  "ETRecord of the same model, quantized: measure its quantizers")
            .takes(fileValue);
        options.integer("--cases", settings.maxCases, "Run at most this many calls of each (default: 64)", 1);
        options.text("--method", settings.method, "Method to quantize (default: the only one, or forward)")
            .takes("NAME");
        options.group("Quantization");
        addRangeOptions(options, settings.observer, settings.keep);
        options.flag(
            "--remedies", settings.remedies,
            "Also try what needs no training: equalize, better observers, bias correction, more bits");
        options.group("Output");
        options.choice("--format", format, sensitivityFormats, "Output format (default: text)");
        addProgressOptions(options, progress);
    }
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<SensitivityResult> measure() const;

    SensitivitySettings settings{.record = {}, .calibration = {}, .evaluation = {}};
    ProgressOptions progress;
    SensitivityFormat format = SensitivityFormat::Text;
};

Result<SensitivityResult> SensitivityVerb::measure() const {
    Watch watch(progress, std::nullopt);
    std::size_t told = 0;
    auto result = measureSensitivity(settings, [&](std::size_t done, std::size_t all) {
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

Result<ExitCode> SensitivityVerb::run(const Invocation& invocation) {
    ET_TRY(confineOrWarn(invocation.console, SandboxMode::Auto, {.files = {}, .folders = {}}));
    const InterruptionGuard guard;
    settings.cancel = &InterruptionGuard::requested();
    ET_ASSIGN(const SensitivityResult result, measure());
    const std::string text = format == SensitivityFormat::Json
                                 ? inspector::report::jsonDocument(sensitivitySchema, sensitivityInfo(result))
                                 : sensitivityText(result, OutputOptions().style(invocation.console));
    ET_TRY(invocation.console.out(text));
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeSensitivityVerb() {
    return std::make_unique<SensitivityVerb>();
}

}  // namespace et::app
