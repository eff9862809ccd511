#include "app/cli/commands/commands.h"
#include "app/cli/option_types.h"
#include "app/cli/options/model_options.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/output_options.h"
#include "app/pages/gap/gap_info.h"
#include "app/tasks/gap/gap_run.h"
#include "app/tasks/gap/saved_tensors.h"
#include "app/tasks/gap/sensitivity.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/run/watch.h"
#include "inspector/format/table.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::GapMetric;
using inspector::GapMetricFacts;
using inspector::report::Format;

enum class GapFormat : std::uint8_t { Table, Csv, Json };
constexpr std::array formats{Word{"table", GapFormat::Table}, Word{"csv", GapFormat::Csv},
                             Word{"json", GapFormat::Json}};

using backends::reference::Precision;
constexpr std::array precisions{Word{"exported", Precision::AsExported}, Word{"double", Precision::Double}};

/// Compares what a program computes with the graph that it was exported from.
class GapVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "gap"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Compare what every operator computes with the exported graph, and find the one to blame";
    }
    [[nodiscard]] std::string details() const override;
    [[nodiscard]] std::vector<Glossary> glossaries() const override;
    [[nodiscard]] std::vector<Example> examples() const override;
    void addOptions(CLI::App& app) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    void addFileOptions(CLI::App& app);
    [[nodiscard]] Result<> checkFiles() const;
    [[nodiscard]] std::vector<fs::path> inputs() const;
    [[nodiscard]] std::string render(Gaps gaps, const Console& console) const;

    GapSettings settings;
    GapInfoOptions info_options;
    GapFormat format = GapFormat::Table;
    fs::path folder;
    OutputOptions output;
    ProgressOptions progress;
};

std::string GapVerb::details() const {
    return "The graph of the ETRecord is run with et-inspect's own operators, without Python. Its values are "
           "compared with those of a device (--etdump and --debug-buffer), or with those of the program, "
           "which "
           "then runs here, with every value inside of XNNPACK delegates. Rows pair values by debug handle, "
           "as "
           "the ExecuTorch Inspector's calculate_numeric_gap does; what is inside of a delegate stands "
           "before "
           "its call. Numbers of quantized values are those that they stand for.\n"
           "--bisect replays every operator alone on the inputs that the runtime had. What it is off then is "
           "its own error, and the rest is inherited. The first whose own error rounding does not explain is "
           "the first divergence: one that is more than a step of its quantization off, or off to one side "
           "in "
           "a whole channel, or more than floating sums lose. Exit codes: 0; 1, an operator diverges (with "
           "--bisect); 3, a file cannot be read or run.";
}

std::vector<Glossary> GapVerb::glossaries() const {
    Glossary columns{.title = "Columns", .terms = {}};
    for (const GapColumn& column : gapColumns()) {
        columns.terms.push_back({column.header, column.meaning});
    }
    Glossary metrics{.title = "Metrics", .terms = {}};
    for (const GapMetricFacts& each : inspector::gapMetrics) {
        metrics.terms.push_back({std::string(each.name), std::string(each.meaning)});
    }
    Glossary words{.title = "Sets of inputs", .terms = {}};
    for (const StimulusWord& each : stimulusWords()) {
        words.terms.push_back({std::string(each.word), std::string(each.meaning)});
    }
    return {columns, metrics, words};
}

std::vector<Example> GapVerb::examples() const {
    return {{"et-inspect gap --etrecord model.etrecord --program model.pte",
             "How far every operator is off, inside of delegates too"},
            {"et-inspect gap --etrecord model.etrecord --program model.bpte --bisect",
             "Which operator computes something else than the graph says"},
            {"et-inspect gap --etrecord model.etrecord --etdump trace.etdp --debug-buffer debug.bin "
             "--metric snr",
             "The same of a run on a device"},
            {"et-inspect gap --etrecord model.etrecord --program model.pte --bisect --inputs "
             "bundled,random:5,extreme",
             "Operators that diverge only on some inputs"}};
}

void GapVerb::addFileOptions(CLI::App& app) {
    app.option_defaults()->group("Files");
    app.add_option(
           "--etrecord", settings.model.record,
           "Record of the model's export (ETRecord), whose graphs are the reference; backends that are not "
           "here are emulated from it")
        ->type_name(fileValue)
        ->required();
    app.add_option("--program", settings.program, "Program (.pte) or bundled program (.bpte) to run here")
        ->type_name(fileValue);
    app.add_option("--etdump", settings.trace, "Trace of a run elsewhere (ETDump), in place of a program")
        ->type_name(fileValue);
    app.add_option("--debug-buffer", settings.debugBuffer, "Values that the trace refers to")
        ->type_name(fileValue);
}

void GapVerb::addOptions(CLI::App& app) {
    addFileOptions(app);
    addModelOptions(app, settings.model);
    app.option_defaults()->group("Inputs");
    app.add_option("--inputs", settings.inputs,
                   "Sets of inputs, separated by commas (below); operators that diverge only on some are "
                   "listed apart")
        ->type_name("LIST");
    app.option_defaults()->group("Comparison");
    app.add_flag("--bisect", settings.bisect,
                 "Find the first operator whose own error rounding does not explain");
    restrictToNumber(
        app.add_option_function<double>(
               "--tolerance", [this](const double& factor) { settings.tolerance = factor; },
               "How many times what rounding explains an own error may be before it diverges (default: 1)")
            ->type_name("FACTOR"),
        "a number above 0", [](double factor) { return factor > 0 && factor < 1e9; });
    addChoice(app, "--precision", settings.precision, precisions,
              "Compute the reference in the dtypes that were exported, or every float as double, which is as "
              "close to the truth as it gets (default: exported)");
    static constexpr auto metricWords = [] {
        std::array<Word<GapMetric>, inspector::gapMetrics.size()> all{};
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i] = {inspector::gapMetrics[i].name, inspector::gapMetrics[i].metric};
        }
        return all;
    }();
    addChoice(app, "--metric", info_options.metric, metricWords, "What the column gap shows (default: mse)")
        ->transform([](std::string text) {
            std::ranges::transform(text, text.begin(), [](unsigned char letter) {
                return static_cast<char>(std::tolower(letter));
            });
            return text;
        });
    app.option_defaults()->group("Output");
    addChoice(app, "--format", format, formats, "How to print (default: table)");
    app.add_option("--save-tensors", folder, "Write both tensors of every row below this folder, as .npy")
        ->type_name(folderValue);
    addOutputOptions(app, output);
    addProgressOptions(app, progress);
}

Result<> GapVerb::checkFiles() const {
    const bool hasTrace = !settings.trace.empty();
    if (hasTrace == !settings.program.empty()) {
        return fail(ErrorCode::InvalidArgument,
                    "give either --program, or --etdump with --debug-buffer; see 'et-inspect gap --help'");
    }
    if (hasTrace != !settings.debugBuffer.empty()) {
        return fail(ErrorCode::InvalidArgument, "--etdump and --debug-buffer go together");
    }
    if (hasTrace && !settings.inputs.empty()) {
        return fail(ErrorCode::InvalidArgument,
                    "--inputs needs --program: a trace is of the inputs that it ran on");
    }
    return {};
}

std::vector<fs::path> GapVerb::inputs() const {
    std::vector<fs::path> all = Model::files(settings.program, settings.model);
    all.insert(all.end(), {settings.model.record, settings.trace, settings.debugBuffer});
    std::erase(all, fs::path{});
    return all;
}

std::string GapVerb::render(Gaps gaps, const Console& console) const {
    switch (format) {
        case GapFormat::Json:
            return gapJson(gaps, info_options);
        case GapFormat::Csv:
            return inspector::report::render(gapTable(*gaps.front(), info_options, false), Format::Csv);
        case GapFormat::Table:
            break;
    }
    return inspector::report::render(gapTable(*gaps.front(), info_options, true), Format::Table,
                                     output.style(console)) +
           gapSummary(gaps, info_options);
}

Result<ExitCode> GapVerb::run(const Invocation& invocation) {
    ET_TRY(checkFiles());
    info_options.bisect = settings.bisect;
    info_options.tolerance = settings.tolerance;
    info_options.precision =
        std::ranges::find(precisions, settings.precision, &Word<Precision>::meaning)->word;
    const InterruptionGuard guard;
    Watch watch(progress, settings.model.timeoutSeconds);
    auto result = runGaps(settings, watch);
    watch.finish();
    if (!result && result.error().code == ErrorCode::Cancelled) {
        const InterruptionInfo& end = infoOf(InterruptionGuard::cause());
        invocation.console.complain(end.message);
        return end.code;
    }
    if (!result) {
        return std::unexpected(std::move(result).error());
    }
    const Gaps gaps = result->gaps;
    info_options.emulated = result->emulated;
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
    ET_TRY(deliver(invocation.console, output, producerOf(text), inputs()));
    const bool diverges =
        std::ranges::any_of(gaps, [](const auto& gap) { return gap->firstDivergence.has_value(); });
    return diverges ? ExitCode::CheckFailed : ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeGapVerb() {
    return std::make_unique<GapVerb>();
}

}  // namespace et::cli
