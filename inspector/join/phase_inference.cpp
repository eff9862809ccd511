#include "inspector/join/phase_inference.h"

#include "inspector/join/percentile.h"
#include "inspector/names/operator_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <variant>

namespace et::inspector::join::detail {
namespace {

using etdump::EventIndex;
using etdump::Trace;

constexpr double longer = 3;              // factor over the usual execution time
constexpr double longerOperators = 1.5;   // factor that two thirds of the operators must exceed
constexpr double likeTheFirst = 0.5;      // fraction of the first prefill's excess over the usual time
constexpr std::size_t minExecutions = 3;  // most of which are decode steps

struct Execution {
    std::uint32_t run = 0;
    std::size_t group = 0;
    std::size_t inGroup = 0;  ///< index into RunGroup::runs
    double time = 0;          ///< ticks
};

double ticksOf(const Trace& trace, EventIndex event) {
    const etdump::EventColumns& events = trace.events();
    return static_cast<double>(etdump::elapsedTicks(events.start[event], events.end[event]).value_or(0));
}

/// Returns the executions in trace order.
std::vector<Execution> executionsOf(const Trace& trace, const RunGroups& groups) {
    std::vector<Execution> all;
    for (std::size_t at = 0; at < groups.groups.size(); ++at) {
        const RunGroup& group = groups.groups[at];
        for (std::size_t i = 0; i < group.runs.size(); ++i) {
            const auto execution =
                executionOf(trace, groups.shapes[group.shapes[i]], trace.runs()[group.runs[i]]);
            if (execution) {
                all.push_back(
                    {.run = group.runs[i], .group = at, .inGroup = i, .time = ticksOf(trace, *execution)});
            }
        }
    }
    std::ranges::sort(all, {}, &Execution::run);
    return all;
}

/// Numbers the calls of each phase.
void number(const std::vector<Execution>& executions, RunPhases& phases) {
    std::map<std::string_view, std::uint64_t> calls;
    for (const Execution& each : executions) {
        RunPhase& run = phases.runs[each.run];
        run.call = calls[run.phase]++;
    }
}

// Method names.

struct PhaseWord {
    std::string_view word;
    std::string_view phase;
};
/// Parts of method names; the last two are used by Qualcomm's and MediaTek's exporters.
constexpr std::array phaseWords{
    PhaseWord{"prefill", prefillPhase},
    PhaseWord{"decode", decodePhase},
    PhaseWord{"kv_forward", decodePhase},
    PhaseWord{"token_gen", decodePhase},
};

std::string_view phaseOfMethod(std::string_view method) {
    const auto* const found =
        std::ranges::find_if(phaseWords, [&](const PhaseWord& each) { return method.contains(each.word); });
    return found == phaseWords.end() ? std::string_view{} : found->phase;
}

bool byMethods(const std::vector<Execution>& executions, std::span<const std::string_view> methods,
               RunPhases& phases) {
    const auto methodOf = [&](const Execution& each) {
        return each.group < methods.size() ? methods[each.group] : std::string_view{};
    };
    if (std::ranges::none_of(executions,
                             [&](const Execution& each) { return !phaseOfMethod(methodOf(each)).empty(); })) {
        return false;
    }
    for (const Execution& each : executions) {
        const std::string_view phase = phaseOfMethod(methodOf(each));
        phases.runs[each.run].phase = phase.empty() ? executePhase : phase;
    }
    phases.inference = "phases are inferred from the names of methods";
    return true;
}

// Sequence lengths.

/// The first kernel with this name; null if there is none.
const Slot* kernelOf(const Trace& trace, const RunShape& shape, std::string_view name) {
    const auto found = std::ranges::find_if(shape.slots, [&](const Slot& slot) {
        return names::detail::kernelOperator(trace.text(slot.signature.profileName)) == name;
    });
    return found == shape.slots.end() ? nullptr : &*found;
}

/// T of a tensor [..., T, D] that the event logged.
std::optional<std::uint64_t> lengthOf(const etdump::DebugValue& logged) {
    const auto* const tensor = std::get_if<etdump::DebugTensor>(&logged.value);
    if (tensor == nullptr || tensor->sizes.size() < 2 || tensor->sizes[tensor->sizes.size() - 2] <= 0) {
        return std::nullopt;
    }
    return static_cast<std::uint64_t>(tensor->sizes[tensor->sizes.size() - 2]);
}

std::optional<std::uint64_t> tokensOf(const Trace& trace, const RunGroups& groups, const Execution& each) {
    const RunShape& shape = groups.shapes[groups.groups[each.group].shapes[each.inGroup]];
    const Slot* const embedding = kernelOf(trace, shape, "embedding");
    if (embedding == nullptr || embedding->debugBegin == embedding->debugEnd) {
        return std::nullopt;
    }
    const EventIndex event = trace.runs()[each.run].firstEvent + shape.debug[embedding->debugEnd - 1];
    return lengthOf(trace.debugValue(event));
}

bool byLengths(const Trace& trace, const RunGroups& groups, const std::vector<Execution>& executions,
               RunPhases& phases) {
    std::vector<std::uint64_t> lengths;
    for (const Execution& each : executions) {
        const auto tokens = tokensOf(trace, groups, each);
        if (!tokens) {
            return false;
        }
        lengths.push_back(*tokens);
    }
    if (std::ranges::none_of(lengths, [](std::uint64_t tokens) { return tokens > 1; })) {
        return false;
    }
    std::uint64_t position = 0;
    for (std::size_t i = 0; i < executions.size(); ++i) {
        phases.runs[executions[i].run] = {.phase = lengths[i] > 1 ? prefillPhase : decodePhase,
                                          .call = std::nullopt,
                                          .position = position,
                                          .tokens = lengths[i]};
        position += lengths[i];
    }
    phases.inference =
        "phases and positions are inferred from the sequence lengths that the embedding logged";
    return true;
}

// Execution time patterns.

/// Whether the model is a language model: it has a cache and an embedding.
bool isLanguage(const Trace& trace, const RunGroups& groups) {
    const auto has = [&](std::initializer_list<std::string_view> names) {
        return std::ranges::any_of(groups.shapes, [&](const RunShape& shape) {
            return std::ranges::any_of(
                names, [&](std::string_view name) { return kernelOf(trace, shape, name) != nullptr; });
        });
    };
    return has({"update_cache", "update_quantized_cache", "sdpa_with_kv_cache"}) ||
           (has({"embedding"}) && has({"index_put", "index_put_", "index_copy", "slice_scatter", "copy_"}));
}

/// Operator times of each run of a group, one list per operator.
std::vector<std::vector<double>> operatorTimes(const Trace& trace, const RunGroups& groups,
                                               const RunGroup& group) {
    std::vector<std::vector<double>> times;
    const RunShape& first = groups.shapes[group.shapes.front()];
    for (std::size_t row = 0; row < first.slots.size(); ++row) {
        const std::string_view name = trace.text(first.slots[row].signature.profileName);
        if (!first.slots[row].signature.hasProfile || names::detail::isFrameworkEvent(name)) {
            continue;
        }
        std::vector<double>& own = times.emplace_back();
        for (std::size_t i = 0; i < group.runs.size(); ++i) {
            const RunShape& shape = groups.shapes[group.shapes[i]];
            const std::uint32_t last = shape.profile[shape.slots[row].profileEnd - 1];
            own.push_back(ticksOf(trace, trace.runs()[group.runs[i]].firstEvent + last));
        }
    }
    return times;
}

/// For each run of the group, the slowdown relative to its median that at least two thirds of the operators
/// reach.
std::vector<double> slowdowns(const Trace& trace, const RunGroups& groups, const RunGroup& group) {
    std::vector<std::vector<double>> ratios(group.runs.size());
    for (const std::vector<double>& times : operatorTimes(trace, groups, group)) {
        const double usual = computePercentile(times, 0.5);
        for (std::size_t i = 0; usual > 0 && i < times.size(); ++i) {
            ratios[i].push_back(times[i] / usual);
        }
    }
    std::vector<double> out;
    for (const std::vector<double>& own : ratios) {
        out.push_back(own.empty() ? 0 : computePercentile(own, 1.0 / 3));
    }
    return out;
}

/// The group with the most executions.
std::size_t mainGroup(const std::vector<Execution>& executions) {
    std::map<std::size_t, std::size_t> counts;
    for (const Execution& each : executions) {
        ++counts[each.group];
    }
    return std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; })->first;
}

/// Median execution time of the largest group.
double usualTime(const std::vector<Execution>& executions, std::size_t group) {
    std::vector<double> times;
    for (const Execution& each : executions) {
        if (each.group == group) {
            times.push_back(each.time);
        }
    }
    return computePercentile(times, 0.5);
}

/// Determines which executions are prefill: the first one or none, plus those similar to it. Warm-up steps
/// after it and disturbed runs also take longer, but by less. If prefill has different events, decode steps
/// are not examined.
std::vector<bool> findPrefills(const Trace& trace, const RunGroups& groups,
                               const std::vector<Execution>& executions, std::size_t most, double usual) {
    const std::vector<double> operators = slowdowns(trace, groups, groups.groups[most]);
    const auto stands = [&](const Execution& each) {
        const bool byOperators = each.group != most || operators[each.inGroup] >= longerOperators;
        return each.time >= longer * usual && byOperators;
    };
    std::vector<bool> prefills(executions.size());
    const Execution& first = executions.front();
    if (usual <= 0 || !stands(first)) {
        return prefills;
    }
    for (std::size_t i = 0; i < executions.size(); ++i) {
        const Execution& each = executions[i];
        const bool like = each.time - usual >= likeTheFirst * (first.time - usual);
        prefills[i] = stands(each) && like && (first.group == most || each.group != most);
    }
    return prefills;
}

bool byPattern(const Trace& trace, const RunGroups& groups, const std::vector<Execution>& executions,
               RunPhases& phases) {
    if (executions.size() < minExecutions || !isLanguage(trace, groups)) {
        return false;
    }
    const std::size_t most = mainGroup(executions);
    const double usual = usualTime(executions, most);
    const std::vector<bool> prefills = findPrefills(trace, groups, executions, most, usual);
    const auto count = std::ranges::count(prefills, true);
    if (count == 0) {
        return false;
    }
    for (std::size_t i = 0; i < executions.size(); ++i) {
        phases.runs[executions[i].run].phase = prefills[i] ? prefillPhase : decodePhase;
    }
    phases.inference = fmt::format(
        "phases are inferred: {} of {} executions are classified as prefill; the first took {:.1f} times as "
        "long as most",
        count, executions.size(), executions.front().time / usual);
    return true;
}

}  // namespace

std::optional<EventIndex> executionOf(const Trace& trace, const RunShape& shape, const etdump::Run& run) {
    for (const Slot& slot : shape.slots) {
        if (slot.signature.hasProfile && slot.profileEnd > slot.profileBegin &&
            trace.text(slot.signature.profileName) == names::detail::methodExecute) {
            return run.firstEvent + shape.profile[slot.profileEnd - 1];
        }
    }
    return std::nullopt;
}

void inferPhases(const Trace& trace, const RunGroups& groups, std::span<const std::string_view> methods,
                 RunPhases& phases) {
    const std::vector<Execution> executions = executionsOf(trace, groups);
    phases.source = byMethods(executions, methods, phases)         ? PhaseSource::MethodName
                    : byLengths(trace, groups, executions, phases) ? PhaseSource::SequenceLength
                    : byPattern(trace, groups, executions, phases) ? PhaseSource::Pattern
                                                                   : PhaseSource::None;
    number(executions, phases);
}

}  // namespace et::inspector::join::detail
