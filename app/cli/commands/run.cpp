#include "app/cli/commands/commands.h"
#include "app/cli/interruption_report.h"
#include "app/cli/memory_report.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/counters/counter_page.h"
#include "app/output/run/run_report.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/model/recorded_inputs.h"
#include "app/tasks/run/program_run.h"
#include "app/tasks/sanitize/sanitizer.h"
#include "inspector/format/json_text.h"
#include "inspector/join/instruction_counts.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::Result;
using inspector::format::Dict;

/// Runs a method and reports its outputs, time and memory use.
class RunCommand final : public Command {
  public:
    RunCommand() : Command("run", "Run a program, show its outputs and record a trace") {}

    [[nodiscard]] std::string details() const override {
        return "Without --input, a bundled program runs with the inputs of its first case, any other program "
               "with random ones. Times do not include writing the trace. Ctrl-C stops the run and keeps "
               "what was recorded; a second Ctrl-C quits at once. The trace is saved several times a second, "
               "so a crash loses at most the last second.";
    }
    [[nodiscard]] std::vector<Glossary> glossaries() const override {
        Glossary inputs = glossaryOf("Inputs", tasks::inputChoices());
        inputs.terms.push_back({std::string(tasks::recordedInputsWord),
                                "as the only value: the inputs stored in the ETRecord (--etrecord), either "
                                "representative ones or those used at export"});
        inputs.terms.push_back({"1.5", "a number: the value of a scalar, or of every element of a tensor"});
        inputs.terms.push_back({"x.npy", "a NumPy array"});
        inputs.terms.push_back(
            {"x.npz",
             "several NumPy arrays, by the program's input names, else by number or as in the file"});
        inputs.terms.push_back({"x.pt", "written by torch.save(): each tensor becomes an input"});
        inputs.terms.push_back(
            {"x.bin", "any other file: the raw bytes of the tensor, in the program's dim order"});
        return {inputs};
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect run model.pte --input x.npy", "Show the outputs for an input"},
            {"et-inspect run model.bpte --iterations 20 --warmup 5 --etdump trace.etdp",
             "Record 20 executions of the first bundled case"},
            {"et-inspect run model.pte --etdump trace.etdp --debug-buffer debug.bin --debug-filter 'conv*'",
             "Log the results of convolutions"},
            {"et-inspect run model.pte --iterations 20 --etdump trace.etdp --counters",
             "Also count cycles and page faults of each operator"},
            {"et-inspect run model.pte --plugin libmine.so --sanitize",
             "Find the kernel that corrupts memory"},
            {"et-inspect run model.pte --etdump trace.etdp --debug-buffer debug.bin --taps all",
             "Log every value inside delegates"},
        };
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<> deliver(Console& console, const tasks::RunResult& result) const;
    [[nodiscard]] MemoryReport memoryReport() const;
    [[nodiscard]] Result<> keepCounts(const tasks::RunResult& result) const;

    tasks::RunSettings settings;
    tasks::ProgressOptions progress;
    OutputFormat format = OutputFormat::Table;
    fs::path folder;
};

void RunCommand::addOptions(OptionList& options) {
    tasks::addRunOptions(options, settings);
    options.group("Output");
    addFormat(options, format, {OutputFormat::Table, OutputFormat::Json});
    options.path("-o,--output DIR", folder,
                 "Write the outputs to this folder, created if missing: tensors as .npy, and run.json");
    addProgressOptions(options, progress);
}

Result<> RunCommand::deliver(Console& console, const tasks::RunResult& result) const {
    const Dict report = output::runReport(settings, result);
    const std::string json = inspector::format::jsonLine(report);
    if (!folder.empty() && result.interruption == tasks::Interruption::None) {
        ET_TRY(tasks::writeOutputs(*result.model->method, json, folder));
    }
    return console.out(format == OutputFormat::Json ? json : output::runText(report));
}

/// Saves the counts next to the trace, in the format of `et-inspect counters --format json`, with the
/// identity of the trace.
Result<> RunCommand::keepCounts(const tasks::RunResult& result) const {
    if (!result.counted) {
        return {};
    }
    ET_ASSIGN(const auto trace, etdump::Trace::open(settings.trace.trace));
    const inspector::TraceMark mark = inspector::markOf(*trace);
    const std::string text = output::counterJson(*result.counted, &mark);
    return tasks::writeFile(inspector::InstructionCounts::fileOf(settings.trace.trace),
                            tasks::producerOf(text));
}

MemoryReport RunCommand::memoryReport() const {
    const auto arguments = tasks::argumentsOf(settings, &tasks::addRunOptions, tasks::PathStyle::Absolute);
    return {.command = commandText("run", arguments),
            .program = settings.program,
            .file = settings.memoryReport,
            .format = format};
}

Result<tasks::ExitCode> RunCommand::run(const Invocation& invocation) {
    Console& console = invocation.console;
    std::optional<tasks::CounterSet> counters;
    if (settings.trace.counters) {
        counters.emplace(tasks::linuxCounters());  // the sandbox forbids opening them
    }
    ET_TRY(confineModel(
        console, settings.model,
        {.files = {settings.trace.trace, settings.trace.debugBuffer,
                   settings.trace.counters ? inspector::InstructionCounts::fileOf(settings.trace.trace)
                                           : fs::path(),
                   settings.memoryReport},
         .folders = {folder}}));
    const tasks::InterruptionGuard guard;
    tasks::ProgressReporter watch(progress, settings.model.timeoutSeconds, settings.model.executionSeconds);
    const MemoryReport memory = memoryReport();
    if (settings.model.sanitize) {
        memory.watchCrashes(console);
    }
    auto ran = tasks::runProgram(
        settings, watch, [&](std::string_view line) { console.complain(line); },
        counters ? &*counters : nullptr);
    watch.finish();
    if (!ran && ran.error().code == core::ErrorCode::Cancelled &&
        tasks::InterruptionGuard::cause() != tasks::Interruption::None) {
        return unlessInterrupted(console, tasks::ExitCode::Fine, "before the first execution");
    }
    ET_ASSIGN(const tasks::RunResult result, std::move(ran));
    console.warnAll(result.warnings);
    ET_TRY(keepCounts(result));
    ET_TRY(deliver(console, result));
    tasks::ExitCode code = tasks::ExitCode::Fine;
    if (const auto& sanitizer = result.model->sanitizer; sanitizer != nullptr) {
        ET_TRY(memory.deliver(console, sanitizer->findings()));
        code = MemoryReport::exitCode(sanitizer->findings(), code);
    }
    return unlessInterrupted(console, code,
                             fmt::format("after {} of {} executions", result.timings.measured.size(),
                                         settings.repetitions.measured),
                             result.interruption);
}

}  // namespace

const CommandFactory makeRunCommand = newCommand<RunCommand>;

}  // namespace et::cli
