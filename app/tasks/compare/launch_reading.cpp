#include "app/tasks/compare/launch_reading.h"

#include "app/tasks/base/program_file.h"
#include "inspector/comparison/checksum.h"
#include "inspector/events/tensor_summary.h"
#include "runtime/core/scalar_type.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace

Result<LaunchReader> LaunchReader::open(const ProgramToMeasure& source, std::uint64_t seed) {
    LaunchReader reader;
    reader.name = source.file.string();
    reader.seed = seed;
    ET_ASSIGN(ProgramFile opened, ProgramFile::open(source.file));
    reader.measured.program = std::move(opened.program);
    if (!source.record.empty()) {
        ET_ASSIGN(reader.record, etrecord::Record::open(source.record));
    }
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

/// Fills in what is equal for all launches, from the first one.
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

}  // namespace et::tasks
