#include "app/cli/commands/commands.h"
#include "app/cli/memory_report.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/gap/gap_info.h"
#include "app/output/sanitize/memory_errors.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/gap/gap_files.h"
#include "app/tasks/gap/gap_run.h"
#include "app/tasks/gap/saved_tensors.h"
#include "inspector/format/table.h"
#include "inspector/numeric_gap/gap_report.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::Result;
using inspector::format::Format;

/// Compares a program's results with the graph that it was exported from.
class GapCommand final : public Command {
  public:
    GapCommand()
        : Command("gap",
                  "Compare the results of every operator with the exported graph, and find the first that "
                  "diverges") {}

    [[nodiscard]] std::string details() const override {
        return "Runs the graph of the ETRecord with et-inspect's own operators, without Python, and compares "
               "its values with those of a device (a trace with its debug buffer) or of the program, which "
               "is run here, including every value inside XNNPACK, MLX, native and TOSA delegates. Values "
               "are "
               "paired by debug handle, as in calculate_numeric_gap of the ExecuTorch Inspector; operators "
               "inside a delegate are listed before its call. Quantized values are compared after "
               "dequantization.\n--bisect reruns every operator alone on its runtime inputs. The error in "
               "that rerun is the operator's own error; the rest is inherited. The first divergence is the "
               "first operator whose own error exceeds what rounding explains: more than one quantization "
               "step, an offset in one direction across a whole channel, or more than the rounding error of "
               "a floating-point sum. Exit codes: 0; 1, an operator diverges (with --bisect); 3, a file "
               "cannot be read or run; 6, memory errors (--sanitize).";
    }
    [[nodiscard]] std::vector<Glossary> glossaries() const override {
        return {glossaryOf("Columns", output::gapColumns()), glossaryOf("Metrics", inspector::gapMetrics),
                glossaryOf("Input sets", tasks::gapInputChoices())};
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect gap model.pte model.etrecord",
             "Show the error of every operator, including those inside delegates"},
            {"et-inspect gap model.bpte model.etrecord --bisect",
             "Find the first operator that differs from the graph"},
            {"et-inspect gap trace.etdp debug.bin model.etrecord --metric snr", "Compare a run on a device"},
            {"et-inspect gap model.pte model.etrecord --bisect --inputs bundled,random:5,extreme",
             "Find operators that diverge only on some inputs"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] MemoryReport memoryReport() const;
    [[nodiscard]] std::string render(const tasks::GapResult& result, const Console& console) const;

    tasks::GapSettings settings;
    OutputFormat format = OutputFormat::Table;
    fs::path folder;
    OutputOptions output;
    tasks::ProgressOptions progress;
};

void GapCommand::addOptions(OptionList& options) {
    addGapOptions(options, settings);
    options.group("Output");
    addFormat(options, format, {OutputFormat::Table, OutputFormat::Csv, OutputFormat::Json});
    options.path("--save-tensors DIR", folder, "Write both tensors of every row to this folder, as .npy");
    addOutputOptions(options, output);
    addProgressOptions(options, progress);
}

std::string GapCommand::render(const tasks::GapResult& result, const Console& console) const {
    const inspector::Gaps gaps = result.gaps;
    if (format == OutputFormat::Json) {
        output::Dict more;
        if (result.memoryErrors) {
            more.emplace_back("memory_errors", output::memoryErrorList(*result.memoryErrors));
        }
        return inspector::gapJson(gaps, tasks::gapOptions(settings), settings.metric, result.emulated, more);
    }
    if (format == OutputFormat::Csv) {
        return inspector::format::render(output::gapTable(*gaps.front(), settings, false), Format::Csv);
    }
    return inspector::format::render(output::gapTable(*gaps.front(), settings, true), Format::Table,
                                     output.style(console)) +
           output::gapSummary(gaps, settings);
}

MemoryReport GapCommand::memoryReport() const {
    const auto arguments = tasks::argumentsOf(settings, &tasks::addGapOptions, tasks::PathStyle::Absolute);
    return {.command = commandText("gap", arguments),
            .program = settings.program,
            .file = settings.memoryReport,
            .format = format};
}

Result<tasks::ExitCode> GapCommand::run(const Invocation& invocation) {
    ET_TRY(tasks::placeFiles(settings));
    ET_TRY(tasks::checkFiles(settings));
    settings.keepsTensors = !folder.empty();
    settings.store = std::make_shared<inspector::ValueStore>();
    ET_TRY(confineModel(invocation.console, settings.model,
                        {.files = {output.path, settings.memoryReport}, .folders = {folder}}));
    const tasks::InterruptionGuard guard;
    tasks::ProgressReporter watch(progress, settings.model.timeoutSeconds);
    const MemoryReport memory = memoryReport();
    if (settings.model.sanitize) {
        memory.watchCrashes(invocation.console);
    }
    auto result = tasks::runGaps(settings, watch);
    if (result && !folder.empty()) {
        if (auto saved = tasks::saveTensors(result->gaps, folder, watch); !saved) {
            result = std::unexpected(std::move(saved).error());
        }
    }
    watch.finish();
    ET_TRY(result);
    const inspector::Gaps gaps = result->gaps;
    if (!result->emulationNote.empty()) {
        invocation.console.complain(result->emulationNote);
    }
    for (const std::string& warning : result->warnings) {
        invocation.console.warn(warning);
    }
    for (const std::string& warning : inspector::makeWarnings(gaps)) {
        invocation.console.warn(warning);
    }
    const std::string text = render(*result, invocation.console);
    ET_TRY(deliver(invocation.console, output, tasks::producerOf(text), tasks::inputsOf(settings)));
    const bool diverges =
        std::ranges::any_of(gaps, [](const auto& gap) { return gap->firstDivergence.has_value(); });
    const tasks::ExitCode code = diverges ? tasks::ExitCode::CheckFailed : tasks::ExitCode::Fine;
    if (!result->memoryErrors) {
        return code;
    }
    ET_TRY(memory.deliver(invocation.console, *result->memoryErrors));
    return MemoryReport::exitCode(*result->memoryErrors, code);
}

}  // namespace

const CommandFactory makeGapCommand = newCommand<GapCommand>;

}  // namespace et::cli
