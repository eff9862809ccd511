#include "inspector/roofline/trace_limits.h"

#include "inspector/join/instruction_keys.h"
#include "inspector/names/operator_names.h"
#include "runtime/executor/module_data.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/fusion.h"
#include "runtime/program/method.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace et::inspector {
namespace {

using join::detail::InstructionKey;

constexpr double giga = 1e9;

/// Half precision without native arithmetic is computed in single precision.
double peakFor(const OperatorCost& cost, const MachineProfile& profile, std::size_t threads) {
    const double peak = profile.peak(cost.arithmetic, threads);
    return peak > 0 ? peak : profile.peak(Arithmetic::Fp32, threads);
}

using Costs = std::map<const Event*, OperatorCost>;

const program::KernelCall* kernelAt(const program::Method& method, const InstructionKey& place) {
    const program::Instruction* const instruction = join::detail::instructionAt(method, place);
    return instruction == nullptr ? nullptr : std::get_if<program::KernelCall>(instruction);
}

const kernels::KernelEntry* entryOf(const program::Method& method, const program::KernelCall& call) {
    return kernels::builtin().find(method.op(call.op).fullName());
}

/// The first value that a call writes.
std::optional<program::ValueId> resultOf(const kernels::KernelEntry& entry, const program::KernelCall& call) {
    const auto first = static_cast<std::size_t>(std::countr_zero(entry.kernel.written));
    return first < call.args.size() ? std::optional(call.args[first]) : std::nullopt;
}

/// Number of instructions from `first` on that the runtime may have fused.
std::size_t numFusable(const program::Method& method, const InstructionKey& first) {
    const program::KernelCall* call = kernelAt(method, first);
    const kernels::KernelEntry* entry = call == nullptr ? nullptr : entryOf(method, *call);
    const kernels::Fusion* const fusion = entry == nullptr ? nullptr : kernels::findFusion(*entry);
    std::size_t count = 1;
    for (; fusion != nullptr && count <= fusion->maxBehind; ++count) {
        const auto result = resultOf(*entry, *call);
        const InstructionKey next{first.first,
                                  core::InstructionId(first.second.value + static_cast<std::int32_t>(count))};
        call = kernelAt(method, next);
        entry = call == nullptr ? nullptr : entryOf(method, *call);
        const kernels::FusedOperator* const behind =
            entry == nullptr ? nullptr : kernels::behindIn(*fusion, *entry);
        if (behind == nullptr || behind->input >= call->args.size() || !result ||
            call->args[behind->input] != *result) {
            break;
        }
    }
    return count;
}

/// Whether `next` began when `event` ended in all runs; between unfused events the clock is read twice.
bool isBackToBack(const Event& event, const Event& next, double ticksOfUnit) {
    constexpr double halfTick = 0.5;
    if (event.samples.empty() || event.samples.size() != next.samples.size()) {
        return false;
    }
    for (std::size_t run = 0; run < event.samples.size(); ++run) {
        const auto between = static_cast<double>(next.startTicks[run] - event.startTicks[run]);
        if (std::abs(between - event.samples[run] * ticksOfUnit) >= halfTick) {
            return false;
        }
    }
    return true;
}

/// Reduces the costs of instructions that our runtime fuses (kernels/fusion.h), whose events are back to
/// back. The result of the first stays in the cache, so the others read and write no bytes, and a
/// transposition whose product reads its input in place costs nothing.
void removeCachedTraffic(const Block& block, const program::Method& method, const JoinOptions& options,
                         std::map<const Event*, OperatorCost>& costs) {
    if (options.clock.unit == TimeScale::Cycles || options.target == TimeScale::Cycles) {
        return;
    }
    const double ticksOfUnit = ticksPerUnit(options.clock.unit, options.target);
    std::map<InstructionKey, std::vector<const Event*>> calls;  // events of a kernel and of its operator
    for (const Event& event : block.events) {
        if (!event.delegated && names::detail::isCall(event.name)) {
            calls[{event.chain, event.instruction}].push_back(&event);
        }
    }
    for (auto at = calls.begin(); at != calls.end();) {
        const std::size_t most = numFusable(method, at->first);
        auto first = at++;
        for (std::size_t i = 1; i < most && at != calls.end(); ++i, ++at) {
            const auto before = std::prev(at);
            if (!isBackToBack(*before->second.front(), *at->second.front(), ticksOfUnit)) {
                break;
            }
            const bool isConvolution =
                method.op(kernelAt(method, first->first)->op).fullName() == "aten::convolution.out";
            for (const Event* const event : (isConvolution ? at : first)->second) {
                if (const auto cost = costs.find(event); cost != costs.end()) {
                    cost->second.bytesRead = 0;
                    cost->second.bytesWritten = 0;
                }
            }
        }
    }
}

/// The graph inside a delegate with the costs of its nodes.
struct DelegateCost {
    core::ModelGraph graph;
    std::vector<OperatorCall> calls;     ///< by node
    std::vector<std::uint32_t> results;  ///< ids of the delegate's output values
};

/// Costs of the instructions of one method.
class MethodCosts {
  public:
    MethodCosts(const program::Method& of, const LimitSources& from) : method(of), sources(from) {
        program::AccessReader reader(method);
        for (std::size_t chain = 0; chain < method.chains.size(); ++chain) {
            const auto& instructions = method.chains[chain].instructions;
            for (std::size_t i = 0; i < instructions.size(); ++i) {
                auto access = reader.next(instructions[i]);
                if (!access) {
                    return;
                }
                accesses.emplace(InstructionKey{static_cast<std::int64_t>(chain),
                                                core::InstructionId(static_cast<std::int32_t>(i))},
                                 *std::move(access));
            }
        }
    }

    /// Cost of a kernel call or of a whole delegate call.
    [[nodiscard]] std::optional<OperatorCost> of(const InstructionKey& place) {
        const program::Instruction* instruction = join::detail::instructionAt(method, place);
        const auto access = accesses.find(place);
        if (instruction == nullptr || access == accesses.end()) {
            return std::nullopt;
        }
        if (const auto* kernel = std::get_if<program::KernelCall>(instruction)) {
            return operatorCost(operatorCall(method, *kernel, access->second));
        }
        const DelegateCost* inside = insideOf(place);
        return inside == nullptr ? std::nullopt : fusedCost(inside->calls, inside->results);
    }

    /// Costs of all operators that a delegate call traced, in order.
    [[nodiscard]] std::vector<std::optional<OperatorCost>> ofOperators(
        const InstructionKey& place, std::span<const std::string_view> names) {
        std::vector<std::optional<OperatorCost>> costs(names.size());
        const DelegateCost* inside = insideOf(place);
        if (inside == nullptr) {
            return costs;
        }
        const auto& call = std::get<program::DelegateCall>(*join::detail::instructionAt(method, place));
        const program::Delegate& delegate = method.delegate(call.delegate);
        const executor::Backend* backend = executor::findBackend(sources.backends, delegate.backend);
        if (backend == nullptr) {
            return costs;
        }
        const auto nodes = backend->nodesOf(delegate, names);
        for (std::size_t i = 0; i < std::min(nodes.size(), costs.size()); ++i) {
            if (nodes[i]) {
                costs[i] = together(*inside, *nodes[i]);
            }
        }
        return costs;
    }

  private:
    static std::optional<OperatorCost> together(const DelegateCost& inside, std::vector<std::size_t> nodes) {
        std::ranges::sort(nodes);
        std::vector<OperatorCall> calls;
        for (const std::size_t node : nodes) {
            if (node >= inside.calls.size()) {
                return std::nullopt;
            }
            calls.push_back(inside.calls[node]);
        }
        return fusedCost(calls, inside.results);
    }

    /// Whether all tensors of the call have the same shapes in every run.
    [[nodiscard]] bool hasStaticShapes(const InstructionKey& place) const {
        const program::InstructionAccess& access = accesses.at(place);
        const auto isStatic = [&](program::ValueId id) {
            const auto* tensor = method.value(id).as<program::TensorInfo>();
            return tensor == nullptr || tensor->dynamism == program::ShapeDynamism::Static;
        };
        return std::ranges::all_of(access.reads, isStatic) && std::ranges::all_of(access.writes, isStatic);
    }

    /// Null if it is not a delegate call, or the delegate's contents are unknown.
    const DelegateCost* insideOf(const InstructionKey& place) {
        const program::Instruction* instruction = join::detail::instructionAt(method, place);
        const auto* call = instruction == nullptr ? nullptr : std::get_if<program::DelegateCall>(instruction);
        if (call == nullptr || !accesses.contains(place) || !hasStaticShapes(place)) {
            return nullptr;
        }
        const auto [known, isNew] = insides.try_emplace(call->delegate.value);
        if (isNew) {
            known->second = describe(method.delegate(call->delegate));
        }
        return known->second ? &*known->second : nullptr;
    }

    [[nodiscard]] std::optional<DelegateCost> describe(const program::Delegate& delegate) const {
        const executor::Backend* backend = executor::findBackend(sources.backends, delegate.backend);
        if (backend == nullptr) {
            return std::nullopt;
        }
        // Weights outside the program do not matter: their shapes are in the payload.
        auto graph = backend->describe(delegate, executor::ModuleData(sources.program, {}));
        if (!graph) {
            return std::nullopt;
        }
        DelegateCost inside{.graph = *std::move(graph), .calls = {}, .results = {}};
        for (const core::GraphNode& node : inside.graph.nodes()) {
            inside.calls.push_back(operatorCall(inside.graph, node));
        }
        for (std::uint32_t i = 0; i < inside.graph.values().size(); ++i) {
            if (inside.graph.values()[i].role == core::GraphValue::Role::Output) {
                inside.results.push_back(i);
            }
        }
        return inside;
    }

    const program::Method& method;
    const LimitSources& sources;
    std::map<InstructionKey, program::InstructionAccess> accesses;
    std::map<std::uint32_t, std::optional<DelegateCost>> insides;  ///< by DelegateId
};

void addOperators(const std::map<InstructionKey, std::vector<const Event*>>& calls, MethodCosts& of,
                  Costs& costs) {
    for (const auto& [place, events] : calls) {
        std::vector<std::string_view> names;
        std::ranges::transform(events, std::back_inserter(names), &Event::name);
        const auto found = of.ofOperators(place, names);
        for (std::size_t i = 0; i < events.size(); ++i) {
            if (found[i]) {
                costs.emplace(events[i], *found[i]);
            }
        }
    }
}

void addBlock(const Block& block, MethodCosts& of, Costs& costs) {
    std::map<InstructionKey, std::vector<const Event*>> operators;
    for (const Event& event : block.events) {
        const InstructionKey place{event.chain, event.instruction};
        if (event.samples.empty()) {
            continue;
        }
        if (event.delegated && !names::detail::isCall(event.name)) {
            operators[place].push_back(&event);
        } else if (names::detail::isCall(event.name)) {
            if (const auto cost = of.of(place)) {
                costs.emplace(&event, *cost);
            }
        }
    }
    addOperators(operators, of, costs);
}

/// Whether all times of delegated operators in the blocks are whole microseconds, which is then their clock
/// resolution.
bool hasMicrosecondClock(std::span<const Block> blocks, double unitsOfMicrosecond) {
    bool any = false;
    for (const Block& block : blocks) {
        for (const Event& event : block.events) {
            if (!event.delegated || names::detail::isCall(event.name)) {
                continue;
            }
            for (const double sample : event.samples) {
                constexpr double rounding = 1e-4;
                const double times = sample / unitsOfMicrosecond;
                any = true;
                if (std::abs(times - std::round(times)) > rounding) {
                    return false;
                }
            }
        }
    }
    return any;
}

/// Units per second; nothing for ticks.
std::optional<double> unitsOfSecond(TimeScale scale) {
    return scale == TimeScale::Cycles ? std::nullopt : std::optional(traits(scale).perSecond);
}

}  // namespace

LeastTime leastTime(const OperatorCost& cost, const MachineProfile& profile, std::size_t threads) {
    LeastTime least;
    const double peak = peakFor(cost, profile, threads);
    least.computing = peak > 0 ? cost.operations / (peak * giga) : 0;
    double left = cost.bytes();
    double below = 0;
    double most = -1;
    const std::vector<BandwidthRate> levels = profile.levels(threads);
    std::string slowest;
    for (const BandwidthRate& level : levels) {
        const double room =
            level.capacity == 0 ? left : std::max(0.0, static_cast<double>(level.capacity) - below);
        const double here = std::min(left, room);
        const double rate = level.best();
        const double seconds = here / (rate * giga);
        below += room;
        left -= here;
        least.moving += seconds;
        if (here > 0 && seconds > most) {
            most = seconds;
            slowest = level.level;
        }
    }
    least.seconds = std::max(least.computing, least.moving);
    least.boundBy = least.computing >= least.moving ? "compute" : slowest;
    return least;
}

std::map<const Event*, OperatorCost> eventCosts(const EventBlocks& blocks, const LimitSources& sources) {
    Costs costs;
    std::map<const program::Method*, MethodCosts> known;
    const bool onlyMethod = sources.program.methods.size() == 1;
    for (const Block& block : blocks.blocks()) {
        const auto method = std::ranges::find_if(sources.program.methods, [&](const program::Method& each) {
            return join::detail::isOf(block, each, onlyMethod);
        });
        if (method != sources.program.methods.end()) {
            addBlock(block, known.try_emplace(&*method, *method, sources).first->second, costs);
            removeCachedTraffic(block, *method, blocks.options(), costs);
        }
    }
    return costs;
}

events::EventLimits eventLimits(const EventBlocks& blocks, const LimitSources& sources) {
    events::EventLimits limits;
    const std::optional<double> units = unitsOfSecond(blocks.options().target);
    const double microsecond = units.value_or(0) * 1e-6;
    const bool isCut = units && hasMicrosecondClock(blocks.blocks(), microsecond);
    for (const auto& [event, cost] : eventCosts(blocks, sources)) {
        events::EventLimit limit{
            .operations = cost.operations, .bytes = cost.bytes(), .attainable = {}, .boundBy = {}};
        if (sources.machine != nullptr && units) {
            LeastTime least = leastTime(cost, *sources.machine, sources.threads);
            limit.attainable = least.seconds * *units;
            limit.boundBy = std::move(least.boundBy);
            limit.timeStep =
                isCut && event->delegated && !names::detail::isCall(event->name) ? microsecond : 0;
        }
        limits.emplace(event, std::move(limit));
    }
    return limits;
}

}  // namespace et::inspector
