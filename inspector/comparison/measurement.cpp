#include "inspector/comparison/measurement.h"

#include "inspector/format/time_scale.h"
#include "inspector/join/node_fields.h"
#include "inspector/join/run_phases.h"
#include "inspector/names/operator_names.h"
#include "inspector/names/phase_mark.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace et::inspector {
namespace {

using InstructionKey = std::pair<std::int64_t, core::InstructionId>;  ///< chain, instruction

InstructionKey placeOf(const Event& event) {
    return {event.chain, event.instruction};
}

/// Converts samples to whole ticks of the source clock, which removes rounding by the blocks' unit, and then
/// to nanoseconds (cycles are unchanged).
class Clock {
  public:
    explicit Clock(const JoinOptions& options)
        : ticksPerSample(ticksPerUnit(options.clock.unit, options.target)),
          perTick(options.clock.unit == TimeScale::Cycles
                      ? 1
                      : ticksPerUnit(TimeScale::Nanoseconds, options.clock.unit)) {}

    [[nodiscard]] std::vector<double> nanoseconds(std::span<const double> samples) const {
        std::vector<double> times;
        times.reserve(samples.size());
        for (const double sample : samples) {
            times.push_back(std::round(sample * ticksPerSample) * perTick);
        }
        return times;
    }

  private:
    double ticksPerSample;
    double perTick;
};

bool isKernel(const Event& event) {
    return event.name.starts_with(names::detail::kernelPrefix) ||
           !names::detail::kernelOperator(event.name).empty();
}

/// Reads the operators of one block.
class BlockReader {
  public:
    /// Skips runs before `firstThatCounts`.
    BlockReader(const Block& source, const Clock& ticks, std::uint32_t firstThatCounts)
        : block(source),
          clock(ticks),
          leftOut(static_cast<std::size_t>(
              std::ranges::count_if(block.runs, [&](std::uint32_t run) { return run < firstThatCounts; }))) {
        for (const Event& event : block.events) {
            if (!event.delegated && isKernel(event)) {
                kernels.insert(placeOf(event));
            }
        }
    }

    [[nodiscard]] MethodTimes read() const {
        MethodTimes times{.method = nameOf(block)};
        const Event* whole = nullptr;
        for (const Event& event : block.events) {
            if (event.samples.empty()) {
                continue;
            }
            if (!event.delegated && event.name == names::detail::methodExecute) {
                whole = &event;
            } else if (const auto kind = kindOf(event)) {
                times.operators.push_back(operatorOf(event, *kind));
            }
        }
        times.totalMeasured = whole != nullptr;
        times.total = whole != nullptr ? nanoseconds(*whole) : sumOf(times.operators);
        return times;
    }

  private:
    /// "forward", or "forward, prefill" for one of its phases.
    [[nodiscard]] static std::string nameOf(const Block& block) {
        const std::string_view method = block.method.empty() ? block.name : block.method;
        const bool isNamed = block.phase == prefillPhase || block.phase == decodePhase;
        return isNamed && method != block.phase ? fmt::format("{}, {}", method, block.phase)
                                                : std::string(method);
    }

    [[nodiscard]] std::optional<OperatorKind> kindOf(const Event& event) const {
        if (event.delegated) {
            return OperatorKind::DelegatedOperator;
        }
        if (names::detail::isFrameworkEvent(event.name)) {
            return std::nullopt;
        }
        if (event.name == names::detail::delegateCall) {
            return OperatorKind::DelegateCall;
        }
        if (event.name == names::detail::operatorCall) {
            // The call around a kernel, already represented by the kernel's own event.
            return kernels.contains(placeOf(event)) ? std::nullopt : std::optional(OperatorKind::Kernel);
        }
        return isKernel(event) ? OperatorKind::Kernel : OperatorKind::Step;
    }

    [[nodiscard]] OperatorTimes operatorOf(const Event& event, OperatorKind kind) const {
        std::string_view name = event.name;
        if (name.starts_with(names::detail::kernelPrefix)) {
            name.remove_prefix(names::detail::kernelPrefix.size());
        }
        if (kind == OperatorKind::DelegateCall && !event.backend.empty()) {
            name = event.backend;
        }
        OperatorTimes times{.name = std::string(name),
                            .kind = kind,
                            .backend = std::string(event.backend),
                            .chain = event.chain,
                            .instruction = event.instruction,
                            .handles = {event.handles.begin(), event.handles.end()},
                            .nodes = {},
                            .samples = nanoseconds(event)};
        for (const std::string_view node : opTypes(block, event, OpTypes::All)) {
            times.nodes.emplace_back(node);
        }
        times.module = moduleOf(event);
        return times;
    }

    [[nodiscard]] std::string moduleOf(const Event& event) const {
        std::vector<const etrecord::Node*> nodes;
        for (const etrecord::NodeIndex node : event.nodes) {
            nodes.push_back(&block.graph->nodes[node]);
        }
        const format::Cell module = inspector::commonModule(nodes);
        const auto* text = std::get_if<std::string>(&module);
        return text == nullptr ? std::string() : *text;
    }

    /// Total without Method::execute: the sum of the calls, per run.
    [[nodiscard]] static std::vector<double> sumOf(const std::vector<OperatorTimes>& operators) {
        std::vector<double> sum;
        for (const OperatorTimes& each : operators) {
            if (each.kind == OperatorKind::DelegatedOperator) {
                continue;
            }
            sum.resize(sum.empty() ? each.samples.size() : std::min(sum.size(), each.samples.size()));
            for (std::size_t i = 0; i < sum.size(); ++i) {
                sum[i] += each.samples[i];
            }
        }
        return sum;
    }

    [[nodiscard]] std::vector<double> nanoseconds(const Event& event) const {
        return clock.nanoseconds(event.samples.subspan(std::min(leftOut, event.samples.size())));
    }

    const Block& block;
    const Clock& clock;
    std::size_t leftOut;  ///< skipped runs of the block
    std::set<InstructionKey> kernels;
};

/// The first run that executes a method; earlier ones load.
std::uint32_t firstExecution(const EventBlocks& blocks) {
    std::uint32_t first = std::numeric_limits<std::uint32_t>::max();
    for (const Block& block : blocks.blocks()) {
        const bool executes = std::ranges::contains(block.events, names::detail::methodExecute, &Event::name);
        if (executes && !block.runs.empty()) {
            first = std::min(first, std::ranges::min(block.runs));
        }
    }
    return first == std::numeric_limits<std::uint32_t>::max() ? 0 : first;
}

}  // namespace

std::string_view name(OperatorKind kind) {
    return operatorKinds[static_cast<std::size_t>(kind)].name;
}

std::string_view name(MeasurementSource source) {
    return measurementSources[static_cast<std::size_t>(source)].name;
}

Measurement makeMeasurement(const EventBlocks& blocks, std::string name, std::size_t leaveOut) {
    Measurement measurement{.name = std::move(name), .source = MeasurementSource::Trace};
    measurement.cycles = blocks.options().clock.unit == TimeScale::Cycles;
    measurement.warnings = blocks.warnings();
    const Clock clock(blocks.options());
    const std::uint32_t first = firstExecution(blocks) + static_cast<std::uint32_t>(leaveOut);
    std::uint64_t repeats = 0;
    for (const Block& block : blocks.blocks()) {
        if (blocks.options().byPhase && block.name == phaseBlockName) {
            continue;  // work between executions
        }
        MethodTimes times = BlockReader(block, clock, first).read();
        if (!times.total.empty()) {
            measurement.methods.push_back(std::move(times));
        }
        for (const Event& event : block.events) {
            repeats += event.droppedRepeats;
        }
    }
    if (repeats > 0) {
        measurement.warnings.push_back(
            fmt::format("{} repeats within runs (loops) count only in the total", repeats));
    }
    return measurement;
}

}  // namespace et::inspector
