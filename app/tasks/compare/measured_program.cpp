#include "app/tasks/compare/measured_program.h"

#include "app/tasks/program_file.h"
#include "app/tasks/run/interruption.h"
#include "etrecord/record.h"
#include "inspector/comparison/checksum.h"
#include "inspector/events/tensor_summary.h"
#include "runtime/core/scalar_type.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace et::app {
namespace {

namespace fs = std::filesystem;
using bundled_program::BundledTensor;
using bundled_program::BundledValue;
using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::Measurement;
using inspector::OutputSummary;
using inspector::report::Cell;

/// Executions that are recorded and do not count: tracing itself has to warm up.
constexpr std::size_t settling = 2;

/// The rounds of a warm-up that ends by itself.
constexpr std::size_t minRounds = 8;
constexpr std::size_t maxRounds = 200;
/// A model that is slow is taken as it is after so long, but not before it ran a few times.
constexpr std::chrono::seconds longEnough{10};
constexpr std::size_t minSlowRounds = 3;

/// All lanes and what they did.
class Race {
  public:
    Race(std::vector<Lane>& starters, Watch& watching)
        : lanes(starters), watch(watching), times(starters.size()) {}

    Result<> load() {
        watch.begin("load", lanes.size());
        for (Lane& each : lanes) {
            ET_TRY(each.load());
            watch.step();
        }
        return {};
    }

    Result<> warmUp(const std::optional<std::size_t>& rounds) {
        watch.begin("warm-up", rounds.value_or(minRounds));
        const auto start = std::chrono::steady_clock::now();
        for (;;) {
            const bool slow = std::chrono::steady_clock::now() - start > longEnough;
            detected = !rounds && steady();
            const bool enough = rounds ? warmup >= *rounds
                                       : detected || warmup >= maxRounds || (slow && warmup >= minSlowRounds);
            if (enough || InterruptionGuard::requested()) {
                return {};
            }
            ET_TRY(round(Recording::Off));
            ++warmup;
        }
    }

    Result<> measure(std::size_t iterations) {
        watch.begin("run", iterations + settling);
        while (recorded < iterations + settling && !InterruptionGuard::requested()) {
            ET_TRY(round(Recording::On));
            ++recorded;
        }
        if (recorded <= settling) {
            return fail(ErrorCode::Cancelled, "ended before anything was measured");
        }
        return {};
    }

    std::size_t warmup = 0;
    bool detected = false;
    std::size_t recorded = 0;

  private:
    Result<> round(Recording recording) {
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            ET_ASSIGN(const std::uint64_t time, lanes[i].execute(recording));
            times[i].push_back(static_cast<double>(time));
        }
        watch.step();
        return {};
    }

    [[nodiscard]] bool steady() const {
        return warmup >= minRounds && std::ranges::all_of(times, [](const std::vector<double>& each) {
                   return inspector::steadyFrom(each).has_value();
               });
    }

    std::vector<Lane>& lanes;
    Watch& watch;
    std::vector<std::vector<double>> times;
};

/// The entry of that key as T; nothing where there is none.
template <class T>
std::optional<T> entryOf(const inspector::report::Dict& info, std::string_view key) {
    const auto found = std::ranges::find(info, key, &std::pair<std::string, Cell>::first);
    const auto* value = found == info.end() ? nullptr : std::get_if<T>(&found->second);
    return value == nullptr ? std::nullopt : std::optional<T>(*value);
}

/// What can be said of an output without keeping its elements.
struct Summarizer {
    OutputSummary operator()(std::monostate) const { return of("None", {}); }
    OutputSummary operator()(const BundledTensor& tensor) const {
        OutputSummary summary =
            of(fmt::format("{} {}", core::scalarTypeName(tensor.scalarType), core::sizesText(tensor.sizes)),
               tensor.data);
        const auto info = inspector::report::elementStatistics(tensor.scalarType, tensor.data);
        summary.elements = entryOf<std::uint64_t>(info, "count").value_or(0);
        summary.nonFinite = entryOf<std::uint64_t>(info, "nonfinite").value_or(0);
        summary.minimum = entryOf<double>(info, "min");
        summary.maximum = entryOf<double>(info, "max");
        summary.mean = entryOf<double>(info, "mean");
        return summary;
    }
    template <class T>
    OutputSummary operator()(T number) const {
        const BundledValue value(number);
        return of(bundled_program::valueTypeName(value), std::as_bytes(std::span(&number, 1)));
    }

  private:
    static OutputSummary of(std::string_view type, core::Bytes bytes) {
        inspector::Sha256 sum;
        sum.add(type).add(bytes);
        return {.type = std::string(type), .checksum = sum.hex()};
    }
};

inspector::ProgramIdentity identityOf(const program::Program& program, const std::string& methodName) {
    inspector::ProgramIdentity identity{.sha256 = inspector::sha256(program.bytes),
                                        .bytes = program.bytes.size()};
    if (const program::Method* method = program.findMethod(methodName)) {
        identity.plannedBytes = method->plannedBytes();
        for (const program::Chain& chain : method->chains) {
            identity.instructions += chain.instructions.size();
            identity.delegates += static_cast<std::uint64_t>(
                std::ranges::count_if(chain.instructions, [](const program::Instruction& each) {
                    return std::holds_alternative<program::DelegateCall>(each);
                }));
        }
    }
    return identity;
}

/// A trace names the backend of a call only with a record; the program always does.
void nameDelegates(inspector::MethodTimes& times, const program::Program& program) {
    const program::Method* method = program.findMethod(times.method);
    for (inspector::OperatorTimes& each : times.operators) {
        const bool delegated = each.kind == inspector::OperatorKind::DelegateCall ||
                               each.kind == inspector::OperatorKind::DelegatedOperator;
        const auto chain = static_cast<std::size_t>(each.chain);
        const auto instruction = static_cast<std::size_t>(each.instruction.value);
        if (!delegated || method == nullptr || chain >= method->chains.size() ||
            instruction >= method->chains[chain].instructions.size()) {
            continue;
        }
        const auto* call =
            std::get_if<program::DelegateCall>(&method->chains[chain].instructions[instruction]);
        if (call == nullptr) {
            continue;
        }
        each.backend = method->delegate(call->delegate).backend;
        each.name = each.kind == inspector::OperatorKind::DelegateCall ? each.backend : each.name;
    }
}

Result<Measurement> readTrace(const LaneResult& result, const ProgramToMeasure& source) {
    auto file = core::MappedFile::fromMemory(result.trace, source.file.string());
    ET_ASSIGN(auto trace, etdump::Trace::parse(std::move(file)));
    std::shared_ptr<const etrecord::Record> record;
    if (!source.record.empty()) {
        ET_ASSIGN(record, etrecord::Record::open(source.record));
    }
    inspector::JoinOptions join{.target = inspector::TimeScale::Nanoseconds};
    ET_ASSIGN(const auto blocks,
              inspector::EventBlocks::build(std::move(trace), std::move(record), nullptr, join));
    return inspector::measurementOf(*blocks, source.file.string(), settling);
}

/// A side of the race, with all that is known of it.
Result<MeasuredProgram> judge(LaneResult result, const ProgramToMeasure& source, const Race& race,
                              const ModelOptions& options) {
    MeasuredProgram measured{.measurement = {}, .program = {}, .outputs = result.outputs, .elements = {}};
    ET_ASSIGN(measured.measurement, readTrace(result, source));
    ET_ASSIGN(ProgramFile opened, ProgramFile::open(source.file));
    measured.program = std::move(opened.program);
    measured.executions = race.recorded - settling;
    Measurement& measurement = measured.measurement;
    measurement.source = inspector::MeasurementSource::Program;
    for (inspector::MethodTimes& each : measurement.methods) {
        each.method = result.method;
        nameDelegates(each, *measured.program);
    }
    measurement.machine = inspector::thisMachine();
    measurement.program = identityOf(*measured.program, result.method);
    measurement.settings = inspector::RunSettings{.method = result.method,
                                                  .threads = result.threads,
                                                  .warmup = race.warmup + settling,
                                                  .iterations = measured.executions,
                                                  .warmupDetected = race.detected,
                                                  .inputs = result.inputs,
                                                  .seed = options.seed,
                                                  .loadNanoseconds = result.loadNanoseconds,
                                                  .peakBytes = result.peakBytes};
    if (!result.jobInputs) {
        measurement.warnings.emplace_back(
            "does not take the inputs of the other program and got its own: outputs are not compared");
    } else if (result.outputs != nullptr) {
        measured.elements = result.outputs->suites.front().cases.front().expectedOutputs;
    }
    for (const BundledValue& each : measured.elements) {
        OutputSummary summary = std::visit(Summarizer{}, each);
        summary.method = result.method;
        summary.index = measurement.outputs.size();
        measurement.outputs.push_back(std::move(summary));
    }
    return measured;
}

/// The bundled program whose inputs all of them get; empty where there is none, or inputs are given.
Result<fs::path> commonInputs(std::span<const ProgramToMeasure> programs, const ModelOptions& options) {
    for (const ProgramToMeasure& each : programs) {
        ET_ASSIGN(const ProgramFile opened, ProgramFile::open(each.file));
        if (opened.bundle != nullptr && options.inputs.empty()) {
            return each.file;
        }
    }
    return fs::path();
}

}  // namespace

Result<std::vector<MeasuredProgram>> measurePrograms(std::span<const ProgramToMeasure> programs,
                                                     const ModelOptions& options,
                                                     const MeasureOptions& measure,
                                                     const ProgressOptions& progress) {
    ET_ASSIGN(const fs::path inputs, commonInputs(programs, options));
    std::vector<Lane> lanes;
    lanes.reserve(programs.size());
    for (const ProgramToMeasure& each : programs) {
        ET_ASSIGN(Lane lane, Lane::start({.model = each.file, .options = options, .inputs = inputs}));
        lanes.push_back(std::move(lane));
    }
    Watch watch(progress, options.timeoutSeconds, options.executionSeconds);
    Race race(lanes, watch);
    ET_TRY(race.load());
    ET_TRY(race.warmUp(measure.warmup));
    ET_TRY(race.measure(measure.iterations));
    std::vector<MeasuredProgram> measured;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        ET_ASSIGN(LaneResult result, lanes[i].finish());
        ET_ASSIGN(MeasuredProgram each, judge(std::move(result), programs[i], race, options));
        const bool waited = !measure.warmup;
        if (waited && !race.detected) {
            each.measurement.warnings.push_back(
                fmt::format("the times were not steady after {} executions to warm up", race.warmup));
        }
        measured.push_back(std::move(each));
    }
    watch.finish();
    return measured;
}

}  // namespace et::app
