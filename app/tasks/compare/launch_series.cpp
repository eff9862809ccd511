#include "app/tasks/compare/launch_series.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/program_file.h"
#include "inspector/comparison/statistics.h"
#include "inspector/events/tensor_summary.h"
#include "inspector/format/checksum.h"
#include "runtime/core/scalar_type.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace et::tasks {
namespace {

using bundled_program::BundledTensor;
using bundled_program::BundledValue;
using core::Result;
using inspector::Measurement;
using inspector::OutputSummary;
using inspector::format::Cell;

/// Bounds on the rounds of an automatic warm-up.
constexpr std::size_t minRounds = 8;
constexpr std::size_t maxRounds = 200;

class SecondsSince {
  public:
    [[nodiscard]] double passed() const {
        return std::chrono::duration<double>(Clock::now() - start).count();
    }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start = Clock::now();
};

/// Returns the entry with that key as T, or nothing.
template <class T>
std::optional<T> entryOf(const inspector::format::Dict& info, std::string_view key) {
    const auto found = std::ranges::find(info, key, &std::pair<std::string, Cell>::first);
    const auto* value = found == info.end() ? nullptr : std::get_if<T>(&found->second);
    return value == nullptr ? std::nullopt : std::optional<T>(*value);
}

/// Summarizes an output without keeping its elements.
struct Summarizer {
    OutputSummary operator()(std::monostate) const { return of("None", {}); }
    OutputSummary operator()(const BundledTensor& tensor) const {
        OutputSummary summary =
            of(fmt::format("{} {}", core::scalarTypeName(tensor.scalarType), core::sizesText(tensor.sizes)),
               tensor.data);
        const auto info = inspector::events::elementStatistics(tensor.scalarType, tensor.data);
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
        inspector::format::Sha256 sum;
        sum.add(type).add(bytes);
        return {.type = std::string(type), .checksum = sum.hex()};
    }
};

inspector::ProgramIdentity identityOf(const program::Program& program, const std::string& methodName) {
    inspector::ProgramIdentity identity{.sha256 = inspector::format::sha256(program.bytes),
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

/// Sets the backends of delegate calls from the program: a trace has them only with a record.
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

using Clock = std::chrono::steady_clock;

/// Default for a single program.
constexpr std::size_t usualIterations = 50;
/// Pilot launches, and their runs, which determine the number of runs in the others.
constexpr std::size_t pilotLaunches = 3;
constexpr std::size_t pilotRuns = 12;
/// Fraction of the time available to launches; the rest is for reading their results.
constexpr double shareOfTime = 0.8;
/// Fraction of the time available to the warm-up, and to the runs, of one launch.
constexpr double shareOfPhase = 1.0 / 40;

double secondsBetween(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

}  // namespace

core::Result<> Race::load() {
    watch.begin("load", lanes.size());
    for (const std::size_t each : drawnOrder()) {
        ET_TRY(lanes[each].load());
        watch.step();
    }
    return {};
}

core::Result<> Race::warmUp(const WarmUp& limits) {
    watch.begin("warm-up", limits.rounds.value_or(minRounds));
    const SecondsSince start;
    for (;;) {
        const bool slow = start.passed() > limits.seconds;
        steady = !limits.rounds && timesAreSteady();
        const bool enough = limits.rounds
                                ? warmup >= *limits.rounds
                                : steady || warmup >= maxRounds || (slow && warmup >= limits.minSlowRounds);
        if (enough || InterruptionGuard::requested()) {
            return {};
        }
        ET_TRY(round(Recording::Off));
        ++warmup;
    }
}

core::Result<> Race::measure(const CountedRounds& wanted) {
    settling = settlingRounds();
    watch.begin("run", wanted.rounds + settling);
    const SecondsSince start;
    while (recorded < wanted.rounds + settling && !InterruptionGuard::requested()) {
        if (wanted.seconds && recorded > settling && start.passed() > *wanted.seconds) {
            break;
        }
        ET_TRY(round(Recording::On));
        ++recorded;
    }
    return {};
}

/// Long executions need no settling.
std::size_t Race::settlingRounds() const {
    constexpr std::size_t usual = 2;
    constexpr double longEnough = 1e8;  // nanoseconds
    const bool isSlow = std::ranges::all_of(
        times, [](const std::vector<double>& each) { return !each.empty() && each.back() > longEnough; });
    return isSlow ? 0 : usual;
}

core::Result<std::vector<ModelProcessResult>> Race::finish() {
    std::vector<ModelProcessResult> results;
    for (ModelProcess& each : lanes) {
        ET_ASSIGN(ModelProcessResult result, each.finish());
        results.push_back(std::move(result));
    }
    return results;
}

std::vector<std::span<const double>> Race::counted() const {
    std::vector<std::span<const double>> spans;
    for (const std::vector<double>& each : times) {
        spans.push_back(std::span(each).subspan(std::min(each.size(), warmup + settling)));
    }
    return spans;
}

std::vector<std::size_t> Race::drawnOrder() {
    std::vector<std::size_t> order(lanes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1], order[static_cast<std::size_t>(random() % i)]);
    }
    return order;
}

core::Result<> Race::round(Recording recording) {
    for (const std::size_t each : drawnOrder()) {
        ET_ASSIGN(const std::uint64_t time, lanes[each].execute(recording));
        times[each].push_back(static_cast<double>(time));
    }
    watch.step();
    return {};
}

bool Race::timesAreSteady() const {
    return warmup >= minRounds && std::ranges::all_of(times, [](const std::vector<double>& each) {
               return inspector::steadyFrom(each).has_value();
           });
}

Result<LaunchReader> LaunchReader::open(const ProgramToMeasure& source, std::uint64_t seed) {
    LaunchReader reader;
    reader.name = source.file.string();
    reader.seed = seed;
    ET_ASSIGN(ProgramFile opened, ProgramFile::open(source.file));
    reader.measured.program = std::move(opened.program);
    ET_ASSIGN(reader.record, openRecord(source.record));
    return reader;
}

Result<Measurement> LaunchReader::read(const FinishedLaunch& launch) const {
    auto file = core::MappedFile::fromMemory(launch.result.trace, name);
    ET_ASSIGN(auto trace, etdump::Trace::parse(std::move(file)));
    inspector::JoinOptions join{.target = inspector::TimeScale::Nanoseconds};
    ET_ASSIGN(const auto blocks, inspector::EventBlocks::build(std::move(trace), record, nullptr, join));
    Measurement measurement = inspector::makeMeasurement(*blocks, name, launch.settling);
    for (inspector::MethodTimes& each : measurement.methods) {
        each.method = launch.result.method;
        nameDelegates(each, *measured.program);
    }
    return measurement;
}

/// Sets the properties that all launches share, from the first launch.
void LaunchReader::describe(const FinishedLaunch& launch, Measurement& measurement) {
    const ModelProcessResult& result = launch.result;
    measurement.source = inspector::MeasurementSource::Program;
    measurement.machine = inspector::thisMachine();
    measurement.program = identityOf(*measured.program, result.method);
    measurement.settings = inspector::RunSettings{.method = result.method,
                                                  .threads = result.threads,
                                                  .warmup = launch.warmup + launch.settling,
                                                  .warmupDetected = launch.steady,
                                                  .inputs = result.inputs,
                                                  .seed = seed,
                                                  .loadNanoseconds = result.loadNanoseconds,
                                                  .peakBytes = result.peakBytes};
    measured.outputs = result.outputs;
    if (!result.jobInputs) {
        measurement.warnings.emplace_back(
            "does not accept the other program's inputs and ran on its own: outputs are not compared");
    } else if (result.outputs != nullptr) {
        measured.elements = result.outputs->suites.front().cases.front().expectedOutputs;
    }
    for (const BundledValue& each : measured.elements) {
        OutputSummary summary = std::visit(Summarizer{}, each);
        summary.method = result.method;
        summary.index = measurement.outputs.size();
        measurement.outputs.push_back(std::move(summary));
    }
}

Result<> LaunchReader::add(FinishedLaunch launch) {
    ET_ASSIGN(Measurement measurement, read(launch));
    if (launches.empty()) {
        describe(launch, measurement);
    } else {
        inspector::RunSettings& settings = *launches.front().settings;
        settings.warmupDetected = settings.warmupDetected && launch.steady;
    }
    launches.push_back(std::move(measurement));
    return {};
}

MeasuredProgram LaunchReader::take() {
    measured.measurement =
        launches.size() == 1 ? std::move(launches.front()) : inspector::joinLaunches(launches);
    if (!measured.measurement.methods.empty()) {
        measured.executions = measured.measurement.methods.front().total.size();
    }
    measured.measurement.settings->iterations = measured.executions;
    return std::move(measured);
}

std::size_t LaunchSeries::mostLaunches(const MeasureOptions& measure, std::size_t programs) {
    if (programs < 2) {
        return 1;
    }
    if (measure.launches) {
        return *measure.launches;
    }
    return measure.iterations ? std::min(*measure.iterations, MeasureOptions::usualLaunches)
                              : MeasureOptions::maxLaunches;
}

LaunchSeries::LaunchSeries(std::span<ModelProcess> allLanes, std::span<LaunchReader> allReaders,
                           const MeasureOptions& options)
    : lanes(allLanes),
      readers(allReaders),
      measure(options),
      limits{.seconds = options.seconds * shareOfTime,
             .threshold = options.threshold,
             .minLaunches = MeasureOptions::usualLaunches,
             .maxLaunches = MeasureOptions::maxLaunches},
      most(mostLaunches(options, allReaders.size())) {
}

double LaunchSeries::secondsPassed() const {
    return secondsBetween(start, Clock::now());
}

/// True if another launch is needed. The decision does not depend on which side is slower.
bool LaunchSeries::goesOn() const {
    if (done >= most || InterruptionGuard::requested()) {
        return false;
    }
    if (done == 0 || measure.launches || measure.iterations) {
        return true;
    }
    const double average = secondsPassed() / static_cast<double>(done);
    return secondsPassed() + average <= limits.seconds && !inspector::enoughLaunches(records, limits);
}

CountedRounds LaunchSeries::roundsOfNext() const {
    if (isAlone()) {
        return {.rounds = measure.iterations.value_or(usualIterations)};
    }
    if (measure.iterations) {
        const std::size_t more = done < *measure.iterations % most ? 1 : 0;
        return {.rounds = *measure.iterations / most + more};
    }
    const double seconds = limits.seconds * shareOfPhase;
    if (done < pilotLaunches) {
        return {.rounds = pilotRuns, .seconds = seconds};
    }
    return {.rounds = inspector::runsPerLaunch(std::span(records).first(pilotLaunches), limits)};
}

WarmUp LaunchSeries::warmUpOfNext() const {
    if (isAlone()) {
        return {.rounds = measure.warmup};
    }
    return {.rounds = measure.warmup, .seconds = limits.seconds * shareOfPhase, .minSlowRounds = 1};
}

Result<> LaunchSeries::launch(Race& race) {
    const auto begin = Clock::now();
    ET_TRY(race.load());
    ET_TRY(race.warmUp(warmUpOfNext()));
    const auto ready = Clock::now();
    ET_TRY(race.measure(roundsOfNext()));
    const auto end = Clock::now();
    if (race.recorded <= race.settling) {
        return {};
    }
    ET_ASSIGN(std::vector<ModelProcessResult> results, race.finish());
    std::vector<SchedulerCounters> counters;
    const auto times = race.counted();
    if (!isAlone()) {
        records.push_back({.a = {times[0].begin(), times[0].end()},
                           .b = {times[1].begin(), times[1].end()},
                           .startSeconds = secondsBetween(begin, ready),
                           .runSeconds = secondsBetween(ready, end)});
    }
    for (std::size_t i = 0; i < readers.size(); ++i) {
        counters.push_back(results[i].counters);
        ET_TRY(readers[i].add({.result = std::move(results[i]),
                               .warmup = race.warmup,
                               .settling = race.settling,
                               .steady = race.steady}));
    }
    load.add(counters);
    ++done;
    return {};
}

Result<> LaunchSeries::run(ProgressReporter& watch, std::mt19937_64& random) {
    while (goesOn()) {
        const std::size_t before = done;
        Race race(lanes.subspan(done * readers.size(), readers.size()), watch, random);
        ET_TRY(launch(race));
        if (done == before) {
            break;
        }
    }
    if (done == 0) {
        return core::fail(core::ErrorCode::Cancelled, "stopped before anything was measured");
    }
    return {};
}

}  // namespace et::tasks
