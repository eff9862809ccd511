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
#include <string>
#include <vector>

namespace et::cli {
namespace {

using core::Result;

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
        options.group("Input");
        options.file("ETRECORD", settings.record, "ETRecord of a float model, with its weights")
            .mustBeGiven();
        options.path("--calibrate FILE", settings.calibration,
                     "Calibration inputs: tensors (.npz, .npy, .pt), with one or more calls each, a bundled "
                     "program (.bpte), or a folder of tensor files; required for w8a8-static");
        options.path("--evaluate FILE", settings.evaluation,
                     "Run the program on these inputs and compare its outputs with the float graph");
        options.integer("--cases", settings.maxCases, "Maximum number of calls to run of each (default: 512)",
                        1);
        options.text("--method NAME", settings.method,
                     "Method to quantize (default: the only one, or forward)");
        options.group("Quantization");
        options.text(
            "--scheme SCHEME", scheme,
            "w8a8-static (default), w8a8-dynamic (activation scales computed at run time), w8 (weights "
            "only), w4a8-dynamic:BLOCK (4 bits, a scale per BLOCK elements of a row; default 32), fp16 "
            "(half precision)");
        options.text("--scheme-of NAME=SCHEME,...", schemesOf,
                     "Other scheme, or float, for a site, node, operator or module; the last match applies");
        addRangeOptions(options, settings.observer, settings.sites.keep);
        options.text(
            "--remedy NAME,...", remedies,
            "Apply remedies that reduce the error on the calibration inputs (w8a8-static): equalize, "
            "observers, bias, or all");
        options.text("--except NAME,...", settings.except,
                     "Nodes, operators or modules to exclude from delegates");
        options.group("Output");
        options.path("-o,--output FILE", settings.output, "Program to write (.pte)");
        options.path("--etrecord-out FILE", settings.recordOutput, "ETRecord to write for that program");
        options.flag("--recipe", recipe, "Print Python code for the same quantization instead of the table");
        options.flag("--dry-run", dryRun, "Write nothing");
        addFormat(options, format, {OutputFormat::Text, OutputFormat::Json});
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
