#include "app/cli/commands/commands.h"
#include "app/cli/commands/observer_choices.h"
#include "app/cli/output_options.h"
#include "app/pages/lab/quantize_info.h"
#include "app/tasks/lab/quantize_run.h"
#include "app/tasks/sandbox/sandbox.h"
#include "inspector/format/json_text.h"

#include <array>
#include <memory>
#include <string>

namespace et::app {
namespace {

using core::Result;

enum class QuantizeFormat : std::uint8_t { Text, Json };

constexpr std::array quantizeFormats{Choice{"text", QuantizeFormat::Text},
                                     Choice{"json", QuantizeFormat::Json}};
constexpr std::int64_t quantizeSchema = 1;

/// Makes an int8 program of the ETRecord of a float model.
class QuantizeVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "quantize"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Make a quantized program of an ETRecord's float graph, lowered to XNNPACK";
    }
    [[nodiscard]] std::string details() const override {
        return "Sites are quantized where PT2E's XNNPACKQuantizer does it, with its settings: int8, weights "
               "symmetric with a scale a channel, activations affine with a scale a tensor, batch norms "
               "folded. The float graph runs on the calibration inputs, one call after the other, and an "
               "observer chooses the range of each activation. What stays in float is listed with the rule "
               "and the line of Python.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect quantize model.etrecord --calibrate inputs.npz -o q.pte",
                 "Quantize all that the exporter's quantizer would"},
                {"et-inspect quantize model.etrecord --calibrate cases.bpte --dry-run",
                 "Show scales and what would stay in float"},
                {"et-inspect quantize model.etrecord --calibrate inputs.npz --keep head,conv2d_3 -o q.pte "
                 "--etrecord-out q.etrecord",
                 "Keep a module and a site in float, and write the ETRecord of the new program"}};
    }
    void addOptions(OptionList& options) override {
        options.group("Input");
        options.file("ETRECORD", settings.record, "ETRecord of a float model, with its weights")
            .mustBeGiven();
        options
            .path("--calibrate", settings.calibration,
                  "Inputs to run: tensors (.npz, .npy, .pt), one call or several each, a bundled program "
                  "(.bpte), or a folder of tensor files")
            .takes(fileValue)
            .mustBeGiven();
        options.integer("--cases", settings.maxCases, "Run at most this many calls (default: 512)", 1);
        options.text("--method", settings.method, "Method to quantize (default: the only one, or forward)")
            .takes("NAME");
        options.group("Quantization");
        options.choice("--observer", settings.observer, observerChoices,
                       "How ranges of activations are chosen (default: histogram)");
        options.text("--keep", settings.keep, "Nodes, operators, modules or sites that stay in float")
            .takes("NAME,...")
            .separatedByCommas();
        options.group("Output");
        options.path("-o,--output", settings.output, "Program to write (.pte)").takes(fileValue);
        options.path("--etrecord-out", settings.recordOutput, "ETRecord to write for that program")
            .takes(fileValue);
        options.flag("--dry-run", dryRun, "Write nothing");
        options.choice("--format", format, quantizeFormats, "Output format (default: text)");
    }
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    QuantizeSettings settings;
    bool dryRun = false;
    QuantizeFormat format = QuantizeFormat::Text;
};

Result<ExitCode> QuantizeVerb::run(const Invocation& invocation) {
    if (dryRun) {
        settings.output.clear();
        settings.recordOutput.clear();
    } else if (settings.output.empty()) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          "-o is missing: name the program to write, or give --dry-run");
    }
    ET_ASSIGN(const std::string lack,
              confine(SandboxMode::Auto, {.files = {settings.output, settings.recordOutput}, .folders = {}}));
    if (!lack.empty()) {
        invocation.console.warn(lack);
    }
    ET_ASSIGN(const QuantizeResult result, quantize(settings));
    const std::string text = format == QuantizeFormat::Json
                                 ? inspector::report::jsonDocument(quantizeSchema, quantizeInfo(result))
                                 : quantizeText(result, OutputOptions().style(invocation.console));
    ET_TRY(invocation.console.out(text));
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeQuantizeVerb() {
    return std::make_unique<QuantizeVerb>();
}

}  // namespace et::app
