#include "app/cli/commands/commands.h"
#include "app/cli/commands/observer_choices.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/pages/lab/quantize_info.h"
#include "app/pages/lab/quantize_recipe.h"
#include "app/tasks/lab/quantize_run.h"
#include "app/tasks/sandbox/sandbox.h"
#include "inspector/format/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

namespace et::app {
namespace {

using core::Result;

enum class QuantizeFormat : std::uint8_t { Text, Json };

constexpr std::array quantizeFormats{Choice{"text", QuantizeFormat::Text},
                                     Choice{"json", QuantizeFormat::Json}};
constexpr std::int64_t quantizeSchema = 1;

/// Returns the value of an option, or the error with the option's name.
template <class Value>
Result<Value> ofOption(Result<Value> value, std::string_view option) {
    return std::move(value).transform_error([&](core::Error error) {
        error.message = fmt::format("{}: {}", option, error.message);
        return error;
    });
}

/// Returns the remedies that a name in --remedy selects. Errors: InvalidArgument.
Result<std::vector<Remedy>> remediesOf(std::string_view name) {
    if (name == "all") {
        return std::vector<Remedy>(allRemedies.begin(), allRemedies.end());
    }
    const auto* const found = std::ranges::find(allRemedies, name, remedyName);
    if (found == allRemedies.end()) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          fmt::format("--remedy: expected equalize, observers, bias or all, got \"{}\"",
                                      core::printable(name)));
    }
    return std::vector{*found};
}

/// Builds a quantized program from the ETRecord of a float model.
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
        return {
            {"et-inspect quantize model.etrecord --calibrate inputs.npz -o q.pte",
             "Quantize all that the exporter's quantizer would"},
            {"et-inspect quantize model.etrecord --calibrate cases.bpte --dry-run",
             "Show scales and what would stay in float"},
            {"et-inspect quantize model.etrecord --calibrate inputs.npz --keep head --recipe > quantize.py",
             "Print what the exporter is to do"},
            {"et-inspect quantize model.etrecord --scheme w4a8-dynamic:32 -o q.pte",
             "Weights of 4 bits, without calibration"},
            {"et-inspect quantize model.etrecord --calibrate inputs.npz --scheme-of "
             "layers.3=w4a8-dynamic:32,head=fp16 -o q.pte",
             "A scheme of its own for a layer and for the head"},
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
                  "(.bpte), or a folder of tensor files; w8a8-static needs them")
            .takes(fileValue);
        options
            .path("--evaluate", settings.evaluation,
                  "Run the program on these inputs, and compare its outputs with those of the float graph")
            .takes(fileValue);
        options.integer("--cases", settings.maxCases, "Run at most this many calls of each (default: 512)",
                        1);
        options.text("--method", settings.method, "Method to quantize (default: the only one, or forward)")
            .takes("NAME");
        options.group("Quantization");
        options
            .text(
                "--scheme", scheme,
                "w8a8-static (default), w8a8-dynamic (scales of activations found in each run), w8 "
                "(weights alone), w4a8-dynamic:BLOCK (4 bits, a scale for each BLOCK of a row; default 32), "
                "fp16 (half precision)")
            .takes("SCHEME");
        options
            .text("--scheme-of", schemesOf,
                  "Another scheme for a site, a node, an operator or a module, or float; of several that "
                  "fit, the last one counts")
            .takes("NAME=SCHEME,...")
            .separatedByCommas();
        addRangeOptions(options, settings.observer, settings.sites.keep);
        options
            .text("--remedy", remedies,
                  "Apply what brings the outputs of the calibration inputs nearer (w8a8-static): equalize, "
                  "observers, bias, or all")
            .takes("NAME,...")
            .separatedByCommas();
        options.text("--except", settings.except, "Nodes, operators or modules that stay out of delegates")
            .takes("NAME,...")
            .separatedByCommas();
        options.group("Output");
        options.path("-o,--output", settings.output, "Program to write (.pte)").takes(fileValue);
        options.path("--etrecord-out", settings.recordOutput, "ETRecord to write for that program")
            .takes(fileValue);
        options.flag("--recipe", recipe,
                     "Print Python that quantizes the model in the same way, instead of the table");
        options.flag("--dry-run", dryRun, "Write nothing");
        options.choice("--format", format, quantizeFormats, "Output format (default: text)");
    }
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] std::string textOf(const QuantizeResult& result, const Console& console) const;

    QuantizeSettings settings;
    std::string scheme = "w8a8-static";
    std::vector<std::string> schemesOf;
    std::vector<std::string> remedies;
    bool recipe = false;
    bool dryRun = false;
    QuantizeFormat format = QuantizeFormat::Text;
};

Result<ExitCode> QuantizeVerb::run(const Invocation& invocation) {
    if (dryRun) {
        settings.output.clear();
        settings.recordOutput.clear();
    } else if (settings.output.empty() && !recipe) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          "-o is missing: name the program to write, or give --dry-run or --recipe");
    }
    ET_ASSIGN(settings.sites.scheme, ofOption(backends::xnnpack::parseScheme(scheme), "--scheme"));
    for (const std::string& each : schemesOf) {
        ET_ASSIGN(auto named, ofOption(parseNamedScheme(each), "--scheme-of"));
        settings.sites.named.push_back(std::move(named));
    }
    if (settings.sites.needsCalibration() && settings.calibration.empty()) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          "--calibrate is missing: w8a8-static chooses ranges from inputs");
    }
    for (const std::string& each : remedies) {
        ET_ASSIGN(const auto meant, remediesOf(each));
        settings.remedies.insert(settings.remedies.end(), meant.begin(), meant.end());
    }
    ET_TRY(confineOrWarn(invocation.console, SandboxMode::Auto,
                         {.files = {settings.output, settings.recordOutput}, .folders = {}}));
    ET_ASSIGN(const QuantizeResult result, quantize(settings));
    ET_TRY(invocation.console.out(textOf(result, invocation.console)));
    return ExitCode::Fine;
}

std::string QuantizeVerb::textOf(const QuantizeResult& result, const Console& console) const {
    if (recipe) {
        return quantizeRecipe(result, settings);
    }
    return format == QuantizeFormat::Json
               ? inspector::report::jsonDocument(quantizeSchema, quantizeInfo(result))
               : quantizeText(result, OutputOptions().style(console));
}

}  // namespace

std::unique_ptr<Verb> makeQuantizeVerb() {
    return std::make_unique<QuantizeVerb>();
}

}  // namespace et::app
