#include "app/output/run/run_info.h"

#include "inspector/events/tensor_summary.h"
#include "inspector/join/event_blocks.h"
#include "runtime/core/process_memory.h"
#include "runtime/core/tensor.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

namespace et::output {
namespace {

Cell milliseconds(double nanoseconds) {
    constexpr double each = 1e6;
    return nanoseconds / each;
}

Cell bytes(std::uint64_t count) {
    return count;
}

Dict tensorInfo(const core::Tensor& tensor) {
    return {{"type", std::string("Tensor")},
            {"dtype", core::scalarTypeName(tensor.dtype())},
            {"sizes", std::vector<std::int64_t>(tensor.sizes().begin(), tensor.sizes().end())}};
}

Dict outputTensor(const core::Tensor& tensor) {
    Dict info = tensorInfo(tensor);
    const auto dtype = static_cast<std::int8_t>(tensor.dtype());
    std::ranges::move(inspector::events::elementStatistics(dtype, tensor.rawBytes()),
                      std::back_inserter(info));
    return info;
}

Dict outputValue(core::Value& value) {
    if (const auto* tensor = value.as<core::Tensor>()) {
        return outputTensor(*tensor);
    }
    Dict info{{"type", std::string(value.kindName())}};
    if (const auto tensors = value.tensors(true)) {
        List items;
        for (const core::Tensor* tensor : *tensors) {
            items.emplace_back(tensor == nullptr ? Dict{{"type", std::string("None")}}
                                                 : outputTensor(*tensor));
        }
        info.emplace_back("items", std::move(items));
    } else if (const auto* whole = value.as<std::int64_t>()) {
        info.emplace_back("value", *whole);
    } else if (const auto* number = value.as<double>()) {
        info.emplace_back("value", *number);
    } else if (const auto* truth = value.as<bool>()) {
        info.emplace_back("value", *truth);
    } else if (const auto* text = value.as<std::string_view>()) {
        info.emplace_back("value", std::string(*text));
    } else if (const auto numbers = value.ints()) {
        info.emplace_back("value", std::vector<std::int64_t>(numbers->begin(), numbers->end()));
    } else if (const auto* reals = value.as<core::DoubleListValue>()) {
        info.emplace_back("value", reals->numbers);
    } else if (const auto* truths = value.as<core::BoolListValue>()) {
        info.emplace_back("value", List(truths->numbers.get(), truths->numbers.get() + truths->size));
    }
    return info;
}

struct InputInfo {
    Dict operator()(std::monostate) const { return {{"type", std::string("None")}}; }
    Dict operator()(const executor::TensorInput& tensor) const {
        return {{"type", std::string("Tensor")},
                {"dtype", core::scalarTypeName(tensor.dtype)},
                {"sizes", std::vector<std::int64_t>(tensor.sizes.begin(), tensor.sizes.end())}};
    }
    Dict operator()(std::int64_t number) const { return {{"type", std::string("Int")}, {"value", number}}; }
    Dict operator()(double number) const { return {{"type", std::string("Double")}, {"value", number}}; }
    Dict operator()(bool truth) const { return {{"type", std::string("Bool")}, {"value", truth}}; }
};

}  // namespace

List emulatedInfo(const tasks::Emulation& emulation) {
    return listOf(emulation.names());
}

List inputInfo(const tasks::InputSet& inputs) {
    List list;
    for (std::size_t i = 0; i < inputs.values.size(); ++i) {
        Dict info = std::visit(InputInfo{}, inputs.values[i]);
        info.emplace_back("source", inputs.sources[i]);
        list.emplace_back(std::move(info));
    }
    return list;
}

List outputInfo(executor::Method& method) {
    List list;
    for (std::size_t i = 0; i < method.outputCount(); ++i) {
        list.emplace_back(outputValue(method.output(i)));
    }
    return list;
}

Dict timeInfo(const tasks::Timings& timings) {
    Dict info{{"load", milliseconds(static_cast<double>(timings.load))},
              {"first", timings.first == 0 ? Cell() : milliseconds(static_cast<double>(timings.first))}};
    const bool measured = !timings.measured.empty();
    const std::vector<double> samples(timings.measured.begin(), timings.measured.end());
    const inspector::Statistics statistics =
        measured ? inspector::summarize(samples) : inspector::Statistics{};
    const std::pair<const char*, double> numbers[] = {
        {"p50", statistics.p50},     {"p90", statistics.p90},     {"avg", statistics.average},
        {"min", statistics.minimum}, {"max", statistics.maximum},
    };
    for (const auto& [key, number] : numbers) {
        info.emplace_back(key, measured ? milliseconds(number) : Cell());
    }
    return info;
}

Cell instructionRate(const tasks::Timings& timings) {
    const std::uint64_t all =
        std::accumulate(timings.measured.begin(), timings.measured.end(), std::uint64_t{0});
    if (all == 0) {
        return {};
    }
    constexpr double nanosecondsASecond = 1e9;
    const double ran =
        static_cast<double>(timings.instructions) * static_cast<double>(timings.measured.size());
    return static_cast<std::uint64_t>(ran * nanosecondsASecond / static_cast<double>(all));
}

Dict memoryInfo(const executor::Method& method) {
    const executor::MemoryReport report = method.memory();
    const std::uint64_t planned =
        std::accumulate(report.arenas.begin(), report.arenas.end(), std::uint64_t{0});
    List delegates;
    for (std::size_t i = 0; i < report.delegates.size(); ++i) {
        delegates.emplace_back(Dict{{"id", static_cast<std::uint64_t>(i)},
                                    {"backend", std::string(method.description().delegates[i].backend)},
                                    {"packed_weights", bytes(report.delegates[i].packedWeights)},
                                    {"workspace", bytes(report.delegates[i].workspace)}});
    }
    Dict info{{"peak_resident", bytes(core::peakResidentBytes())},
              {"planned", bytes(planned)},
              {"constants", bytes(report.constants)},
              {"copied_constants", bytes(report.copiedConstants)},
              {"packed_weights", bytes(report.packedWeights)},
              {"workspace", bytes(report.workspace)},
              {"unplanned_io", bytes(report.unplannedIo)},
              {"growing", bytes(report.growing)},
              {"temporary_peak", bytes(report.temporaryPeak)}};
    if (!delegates.empty()) {
        info.emplace_back("delegates", std::move(delegates));
    }
    return info;
}

Dict traceInfo(const etdump::RecorderOptions& options, const etdump::RecordingInfo& recorded) {
    Dict info{{"file", options.traceFile.string()},
              {"runs", recorded.runs},
              {"events", recorded.events},
              {"runs_left_out", recorded.runsLeftOut},
              {"events_left_out", recorded.eventsLeftOut}};
    if (options.debugLevel != core::DebugLevel::None) {
        info.emplace_back("debug_buffer", options.debugBufferFile.string());
        info.emplace_back("debug_bytes", recorded.debugBytes);
        info.emplace_back("tensors_left_out", recorded.tensorsLeftOut);
    }
    return info;
}

List tapInfo(std::span<const etdump::TapInfo> taps) {
    return listOf(taps, [&](const etdump::TapInfo& each) {
        List outputs;
        for (const core::TapOutputChange& change : each.last.changedOutputs) {
            outputs.emplace_back(Dict{{"argument", static_cast<std::uint64_t>(change.argument)},
                                      {"elements", change.elements},
                                      {"of", change.of}});
        }
        return Dict{{"chain", each.last.chain},
                    {"instruction", std::int64_t{each.last.instruction}},
                    {"values", each.last.values},
                    {"runs", each.runs},
                    {"operators", each.last.operators},
                    {"operators_with_taps", each.last.operatorsWithTaps},
                    {"changed_operators", listOf(each.last.changedOperators)},
                    {"changed_runs", each.changedRuns},
                    {"changed_outputs", std::move(outputs)},
                    {"failure", each.last.failure.empty() ? Cell() : Cell(each.last.failure)}};
    });
}

}  // namespace et::output
