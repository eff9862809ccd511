#include "app/tasks/run/program_run.h"

#include "app/tasks/base/output_file.h"
#include "app/tasks/base/tensor_file.h"
#include "app/tasks/counters/counted_recorder.h"
#include "app/tasks/sanitize/sanitizer.h"
#include "inspector/join/instruction_counts.h"
#include "runtime/core/process_memory.h"
#include "runtime/executor/allocators.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::Result;

Result<> writeOutput(core::Value& value, const fs::path& folder, const std::string& name) {
    if (const auto* tensor = value.as<core::Tensor>()) {
        return writeTensor(*tensor, folder / (name + ".npy"));
    }
    if (const auto tensors = value.tensors(true)) {
        for (std::size_t i = 0; i < tensors->size(); ++i) {
            if ((*tensors)[i] != nullptr) {
                ET_TRY(writeTensor(*(*tensors)[i], folder / fmt::format("{}_{}.npy", name, i)));
            }
        }
    }
    return {};
}

/// Records nothing if the system does not report the peak.
void recordPeak(etdump::Recorder& recorder) {
    const std::uint64_t peak = core::peakResidentBytes();
    const std::string name = executor::allocatorName({.kind = executor::MemoryKind::ProcessPeak});
    if (const std::uint32_t id = peak == 0 ? 0 : recorder.allocator(name); id != 0) {
        recorder.allocation(id, peak);
    }
}

void addTapWarnings(const RunSettings& settings, RunResult& result) {
    if (result.recording->taps && result.recorder->taps().empty()) {
        result.warnings.push_back(
            fmt::format("--taps {}: no delegate that ran has such a value", settings.trace.taps));
    }
    for (const etdump::TapInfo& each : result.recorder->taps()) {
        if (!each.last.failure.empty()) {
            result.warnings.push_back(
                fmt::format("instruction {}: no taps: {}", each.last.instruction, each.last.failure));
        } else if (each.changedRuns > 0) {
            result.warnings.push_back(
                fmt::format("instruction {}: taps changed bits of the delegate's outputs in {} of {} runs; "
                            "the reported outputs are those without taps",
                            each.last.instruction, each.changedRuns, each.runs));
        }
    }
}

void addLeftOutWarnings(const RunSettings& settings, RunResult& result) {
    const etdump::RecordingInfo recorded = result.recorder->info();
    if (recorded.eventsLeftOut > 0 || recorded.runsLeftOut > 0) {
        result.warnings.push_back(fmt::format("{}: {} runs and {} events were dropped (--max-events)",
                                              settings.trace.trace, recorded.runsLeftOut,
                                              recorded.eventsLeftOut));
    }
    if (recorded.tensorsLeftOut > 0) {
        result.warnings.push_back(
            fmt::format("{}: {} tensors were dropped", settings.trace.debugBuffer, recorded.tensorsLeftOut));
    }
}

/// Options of the model, with the record given for the trace.
ModelOptions modelOptions(const RunSettings& settings) {
    ModelOptions options = settings.model;
    options.record = settings.trace.record;
    return options;
}

Result<> makeRecorder(const RunSettings& settings, RunResult& result) {
    ET_ASSIGN(result.recording, recorderOptions(settings.trace, settings.model.method));
    if (!result.recording) {
        return {};
    }
    const std::vector<std::filesystem::path> inputs = Model::files(settings.program, modelOptions(settings));
    ET_TRY(refuseToReplace(result.recording->traceFile, inputs));
    ET_TRY(refuseToReplace(result.recording->debugBufferFile, inputs));
    const std::filesystem::path counts = inspector::InstructionCounts::fileOf(result.recording->traceFile);
    ET_TRY(refuseToReplace(counts, inputs));
    // Counts recorded with an earlier trace do not belong to this one.
    std::error_code ignored;
    std::filesystem::remove(counts, ignored);
    ET_ASSIGN(result.recorder, etdump::Recorder::create(*result.recording));
    return {};
}

Result<> run(const RunSettings& settings, ProgressReporter& watch,
             const std::function<void(std::string_view)>& note, const CounterSet* counters,
             RunResult& result) {
    const ModelOptions options = modelOptions(settings);
    std::optional<CountedRecorder> counting;
    core::EventTracer* tracer = result.recorder.get();
    if (counters != nullptr) {
        tracer = &counting.emplace(*result.recorder, *counters);
    }
    ET_ASSIGN(result.model, Model::open(settings.program, options, tracer));
    if (result.model->sanitizer != nullptr) {
        result.model->sanitizer->allowLightExecutions();
    }
    if (const std::string emulated = result.model->emulation.note(); !emulated.empty()) {
        note(emulated);
    }
    for (const std::filesystem::path& each : result.model->foundData) {
        note(fmt::format("using {}, found next to the program", core::printable(each.string())));
    }
    ET_ASSIGN(result.inputs, result.model->inputs(options, note));
    ET_ASSIGN(result.timings, measure(*result.model, result.inputs, settings.repetitions, tracer, watch));
    watch.finish();
    if (counting) {
        result.model->method->setTracer(nullptr);
        result.counted =
            reportOf(settings.program, *result.model, settings.model.threads, counting->counted(), *counters);
        std::ranges::copy(counters->refusals(), std::back_inserter(result.warnings));
    }
    if (result.recorder != nullptr) {
        recordPeak(*result.recorder);
        ET_TRY(result.recorder->finish());
        addLeftOutWarnings(settings, result);
        addTapWarnings(settings, result);
    }
    result.interruption = InterruptionGuard::cause();
    return {};
}

}  // namespace

Result<> writeOutputs(executor::Method& method, std::string_view summary, const fs::path& folder) {
    ET_TRY(makeFolder(folder));
    for (std::size_t i = 0; i < method.outputCount(); ++i) {
        ET_TRY(writeOutput(method.output(i), folder, fmt::format("output_{}", i)));
    }
    return writeFile(folder / "run.json", producerOf(summary));
}

Result<RunResult> runProgram(const RunSettings& settings, ProgressReporter& watch,
                             const std::function<void(std::string_view)>& note, const CounterSet* counters) {
    if (counters != nullptr && settings.model.on.isRemote()) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          "--counters counts on this machine only and cannot be used with --on");
    }
    RunResult result;
    ET_TRY(makeRecorder(settings, result));
    if (auto ran = run(settings, watch, note, counters, result); !ran) {
        if (result.recorder != nullptr && result.recorder->info().events > 0) {
            // The trace up to the failure is useful. The first failure is the one to report.
            static_cast<void>(result.recorder->finish());
        }
        return std::unexpected(std::move(ran).error());
    }
    return result;
}

}  // namespace et::tasks
