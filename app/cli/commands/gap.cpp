#include "app/cli/commands/commands.h"
#include "app/cli/options/model_options.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/output_options.h"
#include "app/pages/gap/gap_info.h"
#include "app/tasks/gap/gap_files.h"
#include "app/tasks/gap/gap_run.h"
#include "app/tasks/gap/saved_tensors.h"
#include "app/tasks/gap/sensitivity.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/run/watch.h"
#include "inspector/format/table.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::app {
namespace {

namespace fs = std::filesystem;
using core::Result;
using inspector::GapMetric;
using inspector::GapMetricTraits;
using inspector::report::Format;

enum class GapFormat : std::uint8_t { Table, Csv, Json };
constexpr std::array gapFormats{Choice{"table", GapFormat::Table}, Choice{"csv", GapFormat::Csv},
                                Choice{"json", GapFormat::Json}};

using backends::reference::Precision;
constexpr std::array precisions{Choice{"exported", Precision::AsExported},
                                Choice{"double", Precision::Double}};

/// Compares a program's results with the graph that it was exported from.
class GapVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "gap"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Compare the results of every operator with the exported graph, and find the one that "
               "diverges";
    }
    [[nodiscard]] std::string details() const override;
    [[nodiscard]] std::vector<Glossary> glossaries() const override;
    [[nodiscard]] std::vector<Example> examples() const override;
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    void addFileOptions(OptionList& options);
    void addComparisonOptions(OptionList& options);
    [[nodiscard]] std::string render(Gaps gaps, const Console& console) const;

    std::vector<fs::path> files;
    GapSettings settings;
    GapInfoOptions shown;
    GapFormat format = GapFormat::Table;
    fs::path folder;
    OutputOptions output;
    ProgressOptions progress;
};

std::string GapVerb::details() const {
    return "Runs the graph of the ETRecord with et-inspect's own operators, without Python, and compares its "
           "values with those of a device (a trace with its debug buffer) or of the program, which is run "
           "here, including every value inside XNNPACK delegates. Values are paired by debug handle, as in "
           "calculate_numeric_gap of the ExecuTorch Inspector; operators inside a delegate are listed before "
           "its call. Quantized values are compared after dequantization.\n"
           "--bisect reruns every operator alone on the inputs it had at runtime. The error it shows then is "
           "its own; the rest is inherited. The first operator whose own error rounding does not explain is "
           "the first divergence: off by more than one quantization step, off in one direction across a "
           "whole "
           "channel, or off by more than floating-point summation loses. Exit codes: 0; 1, an operator "
           "diverges (with --bisect); 3, a file cannot be read or run.";
}

std::vector<Glossary> GapVerb::glossaries() const {
    Glossary columns{.title = "Columns", .terms = {}};
    for (const GapColumn& column : gapColumns()) {
        columns.terms.push_back({column.header, column.meaning});
    }
    Glossary metrics{.title = "Metrics", .terms = {}};
    for (const GapMetricTraits& each : inspector::gapMetrics) {
        metrics.terms.push_back({std::string(each.name), std::string(each.meaning)});
    }
    Glossary inputSets{.title = "Sets of inputs", .terms = {}};
    for (const StimulusChoice& each : stimulusChoices()) {
        inputSets.terms.push_back({std::string(each.name), std::string(each.meaning)});
    }
    return {columns, metrics, inputSets};
}

std::vector<Example> GapVerb::examples() const {
    return {
        {"et-inspect gap model.pte model.etrecord", "Error of every operator, also inside delegates"},
        {"et-inspect gap model.bpte model.etrecord --bisect",
         "Find the operator that does not compute what the graph says"},
        {"et-inspect gap trace.etdp debug.bin model.etrecord --metric snr", "The same for a run on a device"},
        {"et-inspect gap model.pte model.etrecord --bisect --inputs bundled,random:5,extreme",
         "Operators that diverge only on some inputs"}};
}

void GapVerb::addFileOptions(OptionList& options) {
    options.group("Files");
    options.file(
        "FILE", files,
        "ETRecord with a program, or with a trace and its debug buffer, in any order; told apart by content, "
        "'-' is stdin");
    options.file("--etrecord", settings.model.record,
                 "ETRecord of the export; unavailable backends are emulated from it");
    options.file("--program", settings.program, "Program (.pte) or bundled program (.bpte) to run");
    options.file("--etdump", settings.trace, "Trace (ETDump) of a run elsewhere, instead of a program");
    options.file("--debug-buffer", settings.debugBuffer, "Debug buffer of the trace");
}

void GapVerb::addComparisonOptions(OptionList& options) {
    static constexpr auto metricChoices = [] {
        std::array<Choice<GapMetric>, inspector::gapMetrics.size()> all{};
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i] = {inspector::gapMetrics[i].name, inspector::gapMetrics[i].metric};
        }
        return all;
    }();
    options.group("Comparison");
    options.flag("--bisect", settings.bisect,
                 "Find the first operator whose own error rounding does not explain");
    options
        .number("--tolerance", settings.tolerance,
                "Own error that is allowed, as a multiple of what rounding explains (default: 1)",
                "a positive number", [](double factor) { return factor > 0 && factor < 1e9; })
        .takes("FACTOR");
    options.choice(
        "--precision", settings.precision, precisions,
        "Compute the reference in the exported dtypes, or all floats in double (default: exported)");
    options.choice("--metric", shown.metric, metricChoices, "Metric of the gap column (default: mse)")
        .ignoresCase();
}

void GapVerb::addOptions(OptionList& options) {
    addFileOptions(options);
    addModelOptions(options, settings.model);
    addCase(options, settings.model);
    addSandbox(options, settings.model);
    addTarget(options, settings.model);
    options.group("Inputs");
    options.text("--inputs", settings.inputs, "Sets of inputs to run, separated by commas (see below)")
        .takes("LIST");
    addComparisonOptions(options);
    options.group("Output");
    options.choice("--format", format, gapFormats, "Output format (default: table)");
    options.path("--save-tensors", folder, "Write both tensors of every row to this folder, as .npy")
        .takes(folderValue);
    addOutputOptions(options, output);
    addProgressOptions(options, progress);
}

std::string GapVerb::render(Gaps gaps, const Console& console) const {
    switch (format) {
        case GapFormat::Json:
            return gapJson(gaps, shown);
        case GapFormat::Csv:
            return inspector::report::render(gapTable(*gaps.front(), shown, false), Format::Csv);
        case GapFormat::Table:
            break;
    }
    return inspector::report::render(gapTable(*gaps.front(), shown, true), Format::Table,
                                     output.style(console)) +
           gapSummary(gaps, shown);
}

Result<ExitCode> GapVerb::run(const Invocation& invocation) {
    ET_TRY(placeFiles(files, settings));
    ET_TRY(checkFiles(settings));
    settings.keepsTensors = !folder.empty();
    shown.bisect = settings.bisect;
    shown.tolerance = settings.tolerance;
    shown.precision = std::ranges::find(precisions, settings.precision, &Choice<Precision>::meaning)->name;
    ET_TRY(confineModel(invocation.console, settings.model, {.files = {output.path}, .folders = {folder}}));
    const InterruptionGuard guard;
    Watch watch(progress, settings.model.timeoutSeconds);
    const auto result = runGaps(settings, watch);
    watch.finish();
    ET_TRY(result);
    const Gaps gaps = result->gaps;
    shown.emulated = result->emulated;
    if (!result->emulationNote.empty()) {
        invocation.console.complain(result->emulationNote);
    }
    for (const std::string& warning : result->warnings) {
        invocation.console.warn(warning);
    }
    for (const std::string& warning : warningsOf(gaps)) {
        invocation.console.warn(warning);
    }
    if (!folder.empty()) {
        ET_TRY(saveTensors(gaps, folder));
    }
    const std::string text = render(gaps, invocation.console);
    ET_TRY(deliver(invocation.console, output, producerOf(text), inputsOf(settings)));
    const bool diverges =
        std::ranges::any_of(gaps, [](const auto& gap) { return gap->firstDivergence.has_value(); });
    return diverges ? ExitCode::CheckFailed : ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeGapVerb() {
    return std::make_unique<GapVerb>();
}

}  // namespace et::app
