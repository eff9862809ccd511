#include "app/tasks/pipeline/pipeline_run.h"

#include "app/tasks/pipeline/host_steps.h"
#include "app/tasks/pipeline/pipeline_tensors.h"
#include "inspector/numeric_gap/tensor_numbers.h"
#include "runtime/core/process_memory.h"
#include "runtime/executor/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

std::uint64_t median(std::vector<std::uint64_t> times) {
    if (times.empty()) {
        return 0;
    }
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    return *middle;
}

std::uint64_t sumOf(const std::vector<CallTimes>& calls, std::vector<std::uint64_t> CallTimes::* part) {
    return std::accumulate(
        calls.begin(), calls.end(), std::uint64_t{0},
        [&](std::uint64_t sum, const CallTimes& call) { return sum + median(call.*part); });
}

/// Collects times and acceptance rates of the calls.
class CallRecord {
  public:
    explicit CallRecord(const Manifest& manifest) {
        for (const PipelineStage* const stage : manifest.allStages()) {
            if (stage->loop) {
                continue;
            }
            index[stage] = stages.size();
            stages.push_back(
                {.path = stage->path,
                 .program = stage->program ? manifest.programs[*stage->program].name : std::string(),
                 .action = stage->step != nullptr ? std::string(stage->step->name) : stage->method,
                 .calls = {}});
        }
    }

    void begin() { std::ranges::fill(next = std::vector<std::size_t>(stages.size()), 0); }

    /// The same stage may be called another number of times if a step chooses at random.
    void add(const StageCall& call) {
        const std::size_t stage = index.at(&call.stage);
        std::vector<CallTimes>& calls = stages[stage].calls;
        const std::size_t at = next[stage]++;
        if (at == calls.size()) {
            calls.push_back({.iteration = iterationText(call.iterations), .program = {}, .host = {}});
        }
        calls[at].program.push_back(call.time.program);
        calls[at].host.push_back(call.time.host);
    }

    void addAcceptance(const StageCall& call) {
        auto found = std::ranges::find(rates, call.stage.path, &AcceptanceRates::stage);
        if (found == rates.end()) {
            rates.push_back({.stage = call.stage.path, .offered = {}, .accepted = {}});
            found = rates.end() - 1;
        }
        const auto offered = static_cast<std::size_t>(call.inputs[0].view.numel());
        const auto accepted = static_cast<std::size_t>(call.outputs[0].view.numel()) - 1;
        found->offered.resize(std::max(found->offered.size(), offered));
        found->accepted.resize(found->offered.size());
        for (std::size_t i = 0; i < std::min(offered, accepted + 1); ++i) {
            ++found->offered[i];
            found->accepted[i] += i < accepted ? 1 : 0;
        }
        ++found->rounds;
        found->tokens += accepted + 1;
    }

    std::vector<StageTimes> takeStages() { return std::move(stages); }
    std::vector<AcceptanceRates> takeRates() { return std::move(rates); }

  private:
    std::vector<StageTimes> stages;
    std::map<const PipelineStage*, std::size_t> index;
    std::vector<std::size_t> next;
    std::vector<AcceptanceRates> rates;
};

/// Applies "NAME=VALUE" to the inputs of a manifest.
Result<> replaceInput(std::vector<PipelineInput>& inputs, std::string_view given) {
    const std::size_t equals = given.find('=');
    const std::string_view name = given.substr(0, equals);
    const auto found = std::ranges::find(inputs, name, &PipelineInput::name);
    if (equals == std::string_view::npos || found == inputs.end()) {
        std::string known;
        for (const PipelineInput& each : inputs) {
            known += fmt::format("{}{}", known.empty() ? "" : ", ", core::printable(each.name));
        }
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("--input: expected NAME=VALUE with one of the pipeline's inputs ({}), got \"{}\"",
                        known, core::printable(given)));
    }
    const std::string value(given.substr(equals + 1));
    found->file.clear();
    found->numbers.clear();
    found->fill = fillOf(value);
    if (!found->fill) {
        found->file = value;
    }
    return {};
}

Result<> runOnce(const Manifest& manifest, const PipelineValues& inputs, PipelinePrograms& programs,
                 std::uint64_t maxBytes, const StageObserver& observer, PipelineResult& result) {
    ET_TRY(programs.reset());
    const std::uint64_t start = core::EventTracer::now();
    ET_ASSIGN(PipelineValues values, walkPipeline(manifest, inputs, programs, maxBytes, observer));
    result.totals.push_back(core::EventTracer::now() - start);
    result.outputs.clear();
    for (const std::string& name : manifest.outputs) {
        result.outputs[name] = values[name];
    }
    return {};
}

}  // namespace

std::uint64_t StageTimes::programNanoseconds() const {
    return sumOf(calls, &CallTimes::program);
}

std::uint64_t StageTimes::hostNanoseconds() const {
    return sumOf(calls, &CallTimes::host);
}

std::uint64_t PipelineResult::programNanoseconds() const {
    return std::accumulate(
        stages.begin(), stages.end(), std::uint64_t{0},
        [](std::uint64_t sum, const StageTimes& stage) { return sum + stage.programNanoseconds(); });
}

std::uint64_t PipelineResult::hostNanoseconds() const {
    return std::accumulate(
        stages.begin(), stages.end(), std::uint64_t{0},
        [](std::uint64_t sum, const StageTimes& stage) { return sum + stage.hostNanoseconds(); });
}

std::uint64_t maxBytesOf(const ModelOptions& options) {
    return options.memoryBytes.value_or(executor::Limits().memoryBytes);
}

Result<PipelineValues> pipelineInputs(const Manifest& manifest, const std::vector<std::string>& given,
                                      std::uint64_t maxBytes) {
    std::vector<PipelineInput> inputs = manifest.inputs;
    for (const std::string& each : given) {
        ET_TRY(replaceInput(inputs, each));
    }
    PipelineValues values;
    for (const PipelineInput& each : inputs) {
        auto made = makeInput(each, maxBytes);
        if (!made) {
            core::Error error = std::move(made).error();
            error.message = fmt::format("input {}: {}", core::printable(each.name), error.message);
            return std::unexpected(std::move(error).in(manifest.path.string()));
        }
        values[each.name] = *std::move(made);
    }
    return values;
}

Result<PipelineResult> runPipeline(const PipelineSettings& settings, ProgressReporter& watch) {
    ET_ASSIGN(const Manifest manifest, readManifest(settings.manifest));
    const std::uint64_t maxBytes = maxBytesOf(settings.model);
    ET_ASSIGN(const PipelineValues inputs, pipelineInputs(manifest, settings.inputs, maxBytes));
    ET_ASSIGN(const auto programs, PipelinePrograms::load(manifest, settings.model));
    PipelineResult result{
        .name = manifest.name, .outputs = {}, .outputNames = manifest.outputs, .stages = {}};
    CallRecord record(manifest);
    watch.begin("run", settings.repetitions.warmup + settings.repetitions.measured);
    for (std::size_t i = 0; i < settings.repetitions.warmup; ++i, watch.step()) {
        ET_TRY(runOnce(manifest, inputs, *programs, maxBytes, {}, result));
    }
    result.totals.clear();
    for (std::size_t i = 0; i < settings.repetitions.measured; ++i, watch.step()) {
        record.begin();
        const auto observe = [&](const StageCall& call) -> Result<> {
            record.add(call);
            if (i == 0 && call.stage.step != nullptr && call.stage.step->name == "accept") {
                record.addAcceptance(call);
            }
            return {};
        };
        ET_TRY(runOnce(manifest, inputs, *programs, maxBytes, observe, result));
    }
    result.stages = record.takeStages();
    result.acceptance = record.takeRates();
    result.memory = programs->memory();
    result.peakResident = core::peakResidentBytes();
    return result;
}

}  // namespace et::tasks
