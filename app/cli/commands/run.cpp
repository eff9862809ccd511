#include "app/cli/commands/commands.h"
#include "app/cli/option_types.h"
#include "app/cli/options/model_options.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/output_options.h"
#include "app/cli/run/trace_options.h"
#include "app/pages/info/info_text.h"
#include "app/pages/run/run_info.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/run/measure.h"
#include "app/tasks/run/model.h"
#include "app/tasks/run/output_folder.h"
#include "app/tasks/run/recorded_inputs.h"
#include "app/tasks/run/watch.h"
#include "etdump/recorder.h"
#include "inspector/format/json_text.h"
#include "runtime/core/process_memory.h"
#include "runtime/executor/allocators.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::Result;
using inspector::report::Cell;
using inspector::report::Dict;
using inspector::report::List;

enum class RunFormat : std::uint8_t { Table, Json };
constexpr std::array formats{Word{"table", RunFormat::Table}, Word{"json", RunFormat::Json}};

/// Nothing where the system does not tell the peak.
void recordPeak(etdump::Recorder& recorder) {
    const std::uint64_t peak = core::peakResidentBytes();
    const std::string name = executor::allocatorName({.kind = executor::MemoryKind::ProcessPeak});
    if (const std::uint32_t id = peak == 0 ? 0 : recorder.allocator(name); id != 0) {
        recorder.allocation(id, peak);
    }
}

/// Raised when the meaning of a key changes.
constexpr std::int64_t schema = 1;

/// `cell` with numbers as short as people read them: six digits.
Cell shortened(Cell cell) {
    const auto shorten = [](double& number) {
        if (std::isfinite(number)) {
            number = std::strtod(fmt::format("{:.6g}", number).c_str(), nullptr);
        }
    };
    if (auto* number = std::get_if<double>(&cell)) {
        shorten(*number);
    } else if (auto* numbers = std::get_if<std::vector<double>>(&cell)) {
        std::ranges::for_each(*numbers, shorten);
    } else if (auto* list = std::get_if<List>(&cell)) {
        for (Cell& item : *list) {
            item = shortened(std::move(item));
        }
    } else if (auto* dict = std::get_if<Dict>(&cell)) {
        for (auto& [key, item] : *dict) {
            item = shortened(std::move(item));
        }
    }
    return cell;
}

/// Runs a method and says what came out, how long it took and what it needed.
class RunVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "run"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Run a program, show its outputs, and record a trace of it";
    }
    [[nodiscard]] std::string details() const override;
    [[nodiscard]] std::vector<Glossary> glossaries() const override;
    [[nodiscard]] std::vector<Example> examples() const override;
    void addOptions(CLI::App& app) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    /// What there is to say, once all executions have ended.
    struct Finished {
        Model& model;
        const InputSet& inputs;
        const Timings& timings;
        Interruption interruption;
    };

    [[nodiscard]] Result<std::unique_ptr<etdump::Recorder>> makeRecorder();
    [[nodiscard]] Result<ExitCode> runModel(const Invocation& invocation, etdump::Recorder* recorder,
                                            Watch& watch);
    [[nodiscard]] Dict describe(const Finished& finished, const etdump::Recorder* recorder) const;
    [[nodiscard]] Result<> deliver(const Invocation& invocation, const Finished& finished,
                                   const etdump::Recorder* recorder) const;
    void warnOfTaps(const Invocation& invocation, const etdump::Recorder* recorder) const;
    void warnOfWhatIsMissing(const Invocation& invocation, const etdump::Recorder* recorder) const;

    fs::path path;
    ModelOptions options;
    TraceOptions trace;
    std::optional<etdump::RecorderOptions> recording;
    Repetitions repetitions;
    ProgressOptions progress;
    RunFormat format = RunFormat::Table;
    fs::path folder;
};

std::string RunVerb::details() const {
    return "Without --input, a bundled program brings the inputs of its first case; any other program gets "
           "random "
           "ones. Times are in milliseconds; what takes the trace to its file does not count. Ctrl-C ends "
           "the run and keeps what was recorded; a second one ends at once. The trace is saved now and then "
           "while the "
           "model runs, so that it is there, with all runs completed until then, when the process dies.";
}

std::vector<Glossary> RunVerb::glossaries() const {
    Glossary inputs{.title = "Inputs", .terms = {}};
    for (const InputWord& word : inputWords()) {
        inputs.terms.push_back({std::string(word.word), std::string(word.meaning)});
    }
    inputs.terms.push_back({std::string(recordedInputsWord),
                            "alone: the inputs that the ETRecord holds (--etrecord), representative ones "
                            "or those that the program was exported with"});
    inputs.terms.push_back({"1.5", "a number: all elements of a tensor, or the value itself"});
    inputs.terms.push_back({"x.npy", "an array of NumPy"});
    inputs.terms.push_back({"x.pt", "what torch.save() wrote: each tensor in it is an input"});
    inputs.terms.push_back({"x.bin", "any other file: the bytes of the tensor, in the program's dim order"});
    return {inputs};
}

std::vector<Example> RunVerb::examples() const {
    return {
        {"et-inspect run model.pte --input x.npy", "The outputs for an input"},
        {"et-inspect run model.bpte --iterations 20 --warmup 5 --etdump trace.etdp",
         "Record 20 executions of the first bundled case"},
        {"et-inspect run model.pte --etdump trace.etdp --debug-buffer debug.bin --debug-filter 'conv*'",
         "Log what the convolutions compute"},
        {"et-inspect run model.pte --etdump trace.etdp --debug-buffer debug.bin --taps all",
         "Log every value inside of XNNPACK delegates"},
    };
}

void RunVerb::addOptions(CLI::App& app) {
    app.add_option("MODEL", path, "Program (.pte) or bundled program (.bpte)")
        ->type_name(fileValue)
        ->required();
    addModelOptions(app, options);
    addEmulateFlag(app, options);
    app.option_defaults()->group("Executions");
    addWhole(app, "--iterations", repetitions.measured, "Executions (default: 1)");
    addWhole(app, "--warmup", repetitions.warmup,
             "Executions before those, which are not recorded (default: 0)");
    addTraceOptions(app, trace);
    app.option_defaults()->group("Output");
    addChoice(app, "--format", format, formats, "How to print (default: table)");
    app.add_option("-o,--output", folder,
                   "Write the outputs to this folder, made if it is not there: tensors as .npy, and run.json")
        ->type_name(folderValue);
    addProgressOptions(app, progress);
}

Result<std::unique_ptr<etdump::Recorder>> RunVerb::makeRecorder() {
    ET_ASSIGN(recording, recorderOptions(trace, options.method));
    if (!recording) {
        return nullptr;
    }
    const std::vector<fs::path> inputs = Model::files(path, options);
    ET_TRY(refuseToReplace(recording->traceFile, inputs));
    ET_TRY(refuseToReplace(recording->debugBufferFile, inputs));
    return etdump::Recorder::create(*recording);
}

Result<ExitCode> RunVerb::run(const Invocation& invocation) {
    const InterruptionGuard guard;
    options.record = trace.record;
    ET_ASSIGN(const std::unique_ptr<etdump::Recorder> recorder, makeRecorder());
    Watch watch(progress, options.timeoutSeconds);
    auto code = runModel(invocation, recorder.get(), watch);
    watch.finish();
    if (recorder && !code && recorder->facts().events > 0) {
        // Whatever went wrong: the trace up to there is of use. The first failure is the one to tell.
        static_cast<void>(recorder->finish());
    }
    return code;
}

Result<ExitCode> RunVerb::runModel(const Invocation& invocation, etdump::Recorder* recorder, Watch& watch) {
    ET_ASSIGN(const std::unique_ptr<Model> model, Model::open(path, options, recorder));
    const auto note = [&](std::string_view line) { invocation.console.complain(line); };
    if (const std::string emulated = model->emulation.note(); !emulated.empty()) {
        note(emulated);
    }
    ET_ASSIGN(const InputSet inputs, model->inputs(options, note));
    ET_ASSIGN(const Timings timings, measure(*model, inputs, repetitions, recorder, watch));
    watch.finish();
    if (recorder != nullptr) {
        recordPeak(*recorder);
        ET_TRY(recorder->finish());
        warnOfWhatIsMissing(invocation, recorder);
        warnOfTaps(invocation, recorder);
    }
    const Interruption interruption = InterruptionGuard::cause();
    ET_TRY(deliver(invocation,
                   {.model = *model, .inputs = inputs, .timings = timings, .interruption = interruption},
                   recorder));
    if (interruption != Interruption::None) {
        invocation.console.complain(fmt::format("{} after {} of {} executions", infoOf(interruption).message,
                                                timings.measured.size(), repetitions.measured));
    }
    return infoOf(interruption).code;
}

void RunVerb::warnOfTaps(const Invocation& invocation, const etdump::Recorder* recorder) const {
    if (recording->taps && recorder->taps().empty()) {
        invocation.console.warn(fmt::format("--taps {}: no delegate that ran has such a value", trace.taps));
    }
    for (const etdump::TapFacts& each : recorder->taps()) {
        if (!each.last.failure.empty()) {
            invocation.console.warn(
                fmt::format("instruction {}: no taps: {}", each.last.instruction, each.last.failure));
        } else if (each.changedRuns > 0) {
            invocation.console.warn(
                fmt::format("instruction {}: taps changed bits of the delegate's outputs in {} of {} runs; "
                            "the run's own outputs "
                            "are those without taps",
                            each.last.instruction, each.changedRuns, each.runs));
        }
    }
}

void RunVerb::warnOfWhatIsMissing(const Invocation& invocation, const etdump::Recorder* recorder) const {
    const etdump::RecordingFacts recorded = recorder->facts();
    if (recorded.eventsLeftOut > 0 || recorded.runsLeftOut > 0) {
        invocation.console.warn(fmt::format("{}: {} runs and {} events are left out (--max-events)",
                                            trace.trace, recorded.runsLeftOut, recorded.eventsLeftOut));
    }
    if (recorded.tensorsLeftOut > 0) {
        invocation.console.warn(
            fmt::format("{}: {} tensors are left out", trace.debugBuffer, recorded.tensorsLeftOut));
    }
}

Dict RunVerb::describe(const Finished& finished, const etdump::Recorder* recorder) const {
    const bool whole = finished.interruption == Interruption::None && finished.timings.first != 0;
    executor::Method& method = *finished.model.method;
    Dict info{{"schema", schema},
              {"file", path.string()},
              {"method", std::string(method.description().name)},
              {"inputs", inputInfo(finished.inputs)},
              {"outputs", whole ? outputInfo(method) : List()},
              {"executions", static_cast<std::uint64_t>(finished.timings.measured.size())},
              {"warmup", static_cast<std::uint64_t>(repetitions.warmup)},
              {"threads", static_cast<std::uint64_t>(finished.model.threads.threads())},
              {"interrupted", finished.interruption == Interruption::None
                                  ? Cell()
                                  : Cell(std::string(infoOf(finished.interruption).name))},
              {"time_ms", timeInfo(finished.timings)},
              {"instructions", finished.timings.instructions},
              {"instructions_per_second", instructionRate(finished.timings)},
              {"memory", memoryInfo(method)}};
    if (!finished.model.emulation.backends.empty()) {
        info.emplace_back("emulated", emulatedInfo(finished.model.emulation));
    }
    if (recorder != nullptr) {
        info.emplace_back("trace", traceInfo(*recording, recorder->facts()));
        if (recording->taps) {
            info.emplace_back("taps", tapInfo(recorder->taps()));
        }
    }
    return info;
}

Result<> RunVerb::deliver(const Invocation& invocation, const Finished& finished,
                          const etdump::Recorder* recorder) const {
    const Dict info = describe(finished, recorder);
    std::string json;
    inspector::report::appendJson(json, Cell(info));
    json += "\n";
    if (!folder.empty() && finished.interruption == Interruption::None) {
        ET_TRY(writeOutputs(*finished.model.method, json, folder));
    }
    return invocation.console.out(
        format == RunFormat::Json ? json : infoText(std::get<Dict>(shortened(Cell(info))), 0));
}

}  // namespace

std::unique_ptr<Verb> makeRunVerb() {
    return std::make_unique<RunVerb>();
}

}  // namespace et::cli
