#include "app/cli/commands/commands.h"
#include "app/cli/commands/observer_choices.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/lab/quantize_info.h"
#include "app/output/lab/quantize_recipe.h"
#include "app/tasks/lab/quantize_run.h"
#include "app/tasks/sandbox/sandbox.h"
#include "inspector/format/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

namespace et::cli {
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
Result<std::vector<tasks::Remedy>> parseRemedies(std::string_view name) {
    if (name == "all") {
        return std::vector<tasks::Remedy>(tasks::allRemedies.begin(), tasks::allRemedies.end());
    }
    const auto* const found = std::ranges::find(tasks::allRemedies, name, tasks::remedyName);
    if (found == tasks::allRemedies.end()) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          fmt::format("--remedy: expected equalize, observers, bias or all, got \"{}\"",
                                      core::printable(name)));
    }
    return std::vector{*found};
}

/// Builds a quantized program from the ETRecord of a float model.
class QuantizeCommand final : public Command {
  public:
    [[nodiscard]] std::string_view name() const override { return "quantize"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Quantize an ETRecord's float graph and lower it to XNNPACK";
    }
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
        options.group("Input");
        options.file("ETRECORD", settings.record, "ETRecord of a float model, with its weights")
            .mustBeGiven();
        options
            .path("--calibrate", settings.calibration,
                  "Calibration inputs: tensors (.npz, .npy, .pt), with one or more calls each, a bundled "
                  "program (.bpte), or a folder of tensor files; required for w8a8-static")
            .takes(fileValue);
        options
            .path("--evaluate", settings.evaluation,
                  "Run the program on these inputs and compare its outputs with the float graph")
            .takes(fileValue);
        options.integer("--cases", settings.maxCases, "Maximum number of calls to run of each (default: 512)",
                        1);
        options.text("--method", settings.method, "Method to quantize (default: the only one, or forward)")
            .takes("NAME");
        options.group("Quantization");
        options
            .text("--scheme", scheme,
                  "w8a8-static (default), w8a8-dynamic (activation scales computed at run time), w8 (weights "
                  "only), w4a8-dynamic:BLOCK (4 bits, a scale per BLOCK elements of a row; default 32), fp16 "
                  "(half precision)")
            .takes("SCHEME");
        options
            .text("--scheme-of", schemesOf,
                  "Other scheme, or float, for a site, node, operator or module; the last match applies")
            .takes("NAME=SCHEME,...")
            .separatedByCommas();
        addRangeOptions(options, settings.observer, settings.sites.keep);
        options
            .text("--remedy", remedies,
                  "Apply remedies that reduce the error on the calibration inputs (w8a8-static): equalize, "
                  "observers, bias, or all")
            .takes("NAME,...")
            .separatedByCommas();
        options.text("--except", settings.except, "Nodes, operators or modules to exclude from delegates")
            .takes("NAME,...")
            .separatedByCommas();
        options.group("Output");
        options.path("-o,--output", settings.output, "Program to write (.pte)").takes(fileValue);
        options.path("--etrecord-out", settings.recordOutput, "ETRecord to write for that program")
            .takes(fileValue);
        options.flag("--recipe", recipe, "Print Python code for the same quantization instead of the table");
        options.flag("--dry-run", dryRun, "Write nothing");
        options.choice("--format", format, quantizeFormats, "Output format (default: text)");
    }
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] std::string textOf(const tasks::QuantizeResult& result, const Console& console) const;

    tasks::QuantizeSettings settings;
    std::string scheme = "w8a8-static";
    std::vector<std::string> schemesOf;
    std::vector<std::string> remedies;
    bool recipe = false;
    bool dryRun = false;
    QuantizeFormat format = QuantizeFormat::Text;
};

Result<tasks::ExitCode> QuantizeCommand::run(const Invocation& invocation) {
    if (dryRun) {
        settings.output.clear();
        settings.recordOutput.clear();
    } else if (settings.output.empty() && !recipe) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          "missing -o: name the program to write, or pass --dry-run or --recipe");
    }
    ET_ASSIGN(settings.sites.scheme, ofOption(backends::xnnpack::parseScheme(scheme), "--scheme"));
    for (const std::string& each : schemesOf) {
        ET_ASSIGN(auto named, ofOption(tasks::parseNamedScheme(each), "--scheme-of"));
        settings.sites.named.push_back(std::move(named));
    }
    if (settings.sites.needsCalibration() && settings.calibration.empty()) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          "missing --calibrate: w8a8-static chooses ranges from inputs");
    }
    for (const std::string& each : remedies) {
        ET_ASSIGN(const auto meant, parseRemedies(each));
        settings.remedies.insert(settings.remedies.end(), meant.begin(), meant.end());
    }
    ET_TRY(confineOrWarn(invocation.console, tasks::SandboxMode::Auto,
                         {.files = {settings.output, settings.recordOutput}, .folders = {}}));
    ET_ASSIGN(const tasks::QuantizeResult result, tasks::quantize(settings));
    ET_TRY(invocation.console.out(textOf(result, invocation.console)));
    return tasks::ExitCode::Fine;
}

std::string QuantizeCommand::textOf(const tasks::QuantizeResult& result, const Console& console) const {
    if (recipe) {
        return output::quantizeRecipe(result, settings);
    }
    return format == QuantizeFormat::Json
               ? inspector::format::jsonDocument(quantizeSchema, output::quantizeInfo(result))
               : output::quantizeText(result, OutputOptions().style(console));
}

}  // namespace

std::unique_ptr<Command> makeQuantizeCommand() {
    return std::make_unique<QuantizeCommand>();
}

}  // namespace et::cli
