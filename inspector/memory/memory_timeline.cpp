#include "inspector/memory/memory_timeline.h"

#include "backends/payload_info.h"
#include "inspector/memory/detail/in_place.h"
#include "inspector/memory/detail/storages.h"
#include "inspector/memory/detail/value_uses.h"
#include "runtime/program/training_method.h"

#include <queue>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace et::inspector {

using core::Result;

namespace {

constexpr std::size_t maxOverlaps = 1000;

/// Sweeps one arena over time and keeps the live tensors by offset. These never overlap one another: a tensor
/// that does is reported and not kept.
class Sweep {
  public:
    Sweep(const std::vector<PlannedTensor>& all, const std::vector<join::detail::Branch>& parts,
          std::vector<PlanOverlap>& out)
        : tensors(all), branches(parts), overlaps(out) {}

    void enter(std::size_t index) {
        const PlannedTensor& entering = tensors[index];
        while (!ends.empty() && ends.top().first < entering.firstStep) {
            alive.erase(tensors[ends.top().second].offset);
            ends.pop();
        }
        if (const auto other = inTheWay(entering)) {
            if (separate(tensors[*other], entering)) {
                return;
            }
            overlaps.push_back({.first = *other, .second = index, .step = entering.firstStep});
            return;
        }
        alive.emplace(entering.offset, index);
        ends.emplace(std::min(entering.lastUse, entering.lastOwnStep()), index);
    }

  private:
    [[nodiscard]] std::optional<std::size_t> inTheWay(const PlannedTensor& entering) const {
        const auto after = alive.upper_bound(entering.offset);
        if (after != alive.begin() && tensors[std::prev(after)->second].end() > entering.offset) {
            return std::prev(after)->second;
        }
        if (after != alive.end() && after->first < entering.end()) {
            return after->second;
        }
        return std::nullopt;
    }

    [[nodiscard]] bool separate(const PlannedTensor& one, const PlannedTensor& other) const {
        return std::ranges::any_of(branches, [&](const join::detail::Branch& branch) {
            return branch.separates(one.firstStep, other.firstStep);
        });
    }

    using End = std::pair<Step, std::size_t>;

    const std::vector<PlannedTensor>& tensors;
    const std::vector<join::detail::Branch>& branches;
    std::vector<PlanOverlap>& overlaps;
    std::map<std::uint64_t, std::size_t> alive;
    std::priority_queue<End, std::vector<End>, std::greater<>> ends;
};

/// Finds tensors that are alive at the same time in the same memory, unless a run writes only one of them.
/// Each tensor appears as `second` at most once, however many it overlaps; at most the first thousand are
/// found.
std::vector<PlanOverlap> findOverlaps(const std::vector<PlannedTensor>& tensors,
                                      const std::vector<join::detail::Branch>& branches) {
    std::vector<std::size_t> order(tensors.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(
        order, {}, [&](std::size_t i) { return std::pair(tensors[i].arena, tensors[i].firstStep); });
    std::vector<PlanOverlap> overlaps;
    std::optional<Sweep> sweep;
    std::optional<program::ArenaId> arena;
    for (const std::size_t index : order) {
        const PlannedTensor& tensor = tensors[index];
        if (tensor.bytes == 0 || tensor.firstStep > tensor.lastStep) {
            continue;
        }
        if (overlaps.size() >= maxOverlaps) {
            break;
        }
        if (arena != tensor.arena) {
            arena = tensor.arena;
            sweep.emplace(tensors, branches, overlaps);
        }
        sweep->enter(index);
    }
    return overlaps;
}

/// Finds plans that reuse the memory of a moved tensor while the value that it was moved to needs it.
/// Exporters plan both values of a move as if it copied.
class MoveCheck {
  public:
    MoveCheck(MemoryTimeline& of, const std::vector<join::detail::Branch>& parts)
        : timeline(of), branches(parts) {}

    void run() {
        for (std::size_t i = 0; i < timeline.tensors.size(); ++i) {
            for (const MovedValue& moved : timeline.tensors[i].moved) {
                check(i, moved);
            }
        }
    }

  private:
    /// Number of comparisons that no model reaches; later moves of a damaged file are not checked.
    static constexpr std::size_t maxComparisons = 20'000'000;

    void check(std::size_t giver, const MovedValue& moved) {
        const PlannedTensor& from = timeline.tensors[giver];
        std::optional<std::size_t> first;
        for (std::size_t i = 0; i < timeline.tensors.size() && comparisons < maxComparisons;
             ++i, ++comparisons) {
            const PlannedTensor& other = timeline.tensors[i];
            if (i != giver && other.arena == from.arena && other.offset < from.end() &&
                from.offset < other.end() && destroys(i, moved) &&
                (!first || other.firstStep < timeline.tensors[*first].firstStep)) {
                first = i;
            }
        }
        if (first && timeline.overlaps.size() < maxOverlaps) {
            timeline.overlaps.push_back({.first = giver,
                                         .second = *first,
                                         .step = timeline.tensors[*first].firstStep,
                                         .movedTo = moved.value});
        }
    }

    /// Whether a run that makes the move also fills `other` before the moved value's last use.
    [[nodiscard]] bool destroys(std::size_t other, const MovedValue& moved) const {
        const PlannedTensor& tensor = timeline.tensors[other];
        const Step at = tensor.firstStep;
        if (tensor.bytes == 0 || at > tensor.lastStep || at <= moved.since || at > moved.until ||
            holds(tensor, moved.value) || (at == moved.until && replacesElements(other, moved.value))) {
            return false;
        }
        return std::ranges::none_of(
            branches, [&](const join::detail::Branch& branch) { return branch.separates(moved.since, at); });
    }

    [[nodiscard]] static bool holds(const PlannedTensor& tensor, program::ValueId id) {
        return tensor.value == id || std::ranges::contains(tensor.aliases, id);
    }

    /// Whether the tensor is computed element by element from the moved value.
    [[nodiscard]] bool replacesElements(std::size_t other, program::ValueId moved) const {
        return std::ranges::any_of(timeline.inPlace, [&](const InPlaceCandidate& chance) {
            return chance.taker == other && holds(timeline.tensors[chance.giver], moved);
        });
    }

    MemoryTimeline& timeline;
    const std::vector<join::detail::Branch>& branches;
    std::size_t comparisons = 0;
};

constexpr std::array<std::string_view, 9> kindNames{"input",  "output", "state",    "intermediate", "scratch",
                                                    "unused", "loss",   "gradient", "parameter"};

template <class Items, class Field>
std::uint64_t sumOf(const Items& items, Field field) {
    std::uint64_t sum = 0;
    for (const auto& each : items) {
        sum += each.*field;
    }
    return sum;
}

ArenaTimeline emptyArena(const program::Method& method, program::ArenaId id) {
    const program::Arena arena = id.value < method.arenas.size() ? method.arenas[id.value] : program::Arena{};
    return {
        .arena = id, .plannedBytes = arena.bytes, .device = arena.device, .liveBytes = {}, .peakTensors = {}};
}

/// Computes the live bytes at each step from the changes at each.
void fillCurve(ArenaTimeline& arena, const std::vector<PlannedTensor>& tensors, std::size_t steps) {
    std::vector<std::uint64_t> changes(steps + 3);  // wraps around, since differences may be negative
    for (const PlannedTensor& tensor : tensors) {
        if (tensor.arena == arena.arena && tensor.firstStep <= tensor.lastStep) {
            changes[static_cast<std::size_t>(tensor.firstStep + 1)] += tensor.bytes;
            changes[static_cast<std::size_t>(tensor.lastOwnStep() + 2)] -= tensor.bytes;
        }
    }
    std::uint64_t live = 0;
    for (std::size_t i = 0; i < steps + 2; ++i) {
        live += changes[i];
        arena.liveBytes.push_back(live);
        if (live > arena.peakBytes) {
            arena.peakBytes = live;
            arena.peakStep = static_cast<Step>(i) - 1;
        }
    }
}

void fillPeak(ArenaTimeline& arena, const std::vector<PlannedTensor>& tensors) {
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (tensors[i].arena == arena.arena && tensors[i].bytes > 0 && tensors[i].aliveAt(arena.peakStep)) {
            arena.peakTensors.push_back(i);
        }
    }
    std::ranges::stable_sort(arena.peakTensors, std::ranges::greater{},
                             [&](std::size_t i) { return tensors[i].bytes; });
}

/// A damaged file may name a separate arena for each of its tensors, and each arena costs a curve.
constexpr std::size_t maxArenas = 64;

Result<> fillArenas(MemoryTimeline& out) {
    std::set<program::ArenaId> ids;
    for (std::uint32_t i = 0; i < out.method->arenas.size(); ++i) {
        if (out.method->arenas[i].bytes > 0) {
            ids.emplace(i);
        }
    }
    for (const PlannedTensor& tensor : out.tensors) {
        ids.insert(tensor.arena);
    }
    if (ids.size() > maxArenas) {
        return core::fail(core::ErrorCode::Limit,
                          fmt::format("method \"{}\" plans {} arenas, more than the maximum of {}",
                                      core::printable(out.method->name), ids.size(), maxArenas));
    }
    for (const program::ArenaId id : ids) {
        ArenaTimeline arena = emptyArena(*out.method, id);
        fillCurve(arena, out.tensors, out.steps.size());
        fillPeak(arena, out.tensors);
        out.arenas.push_back(std::move(arena));
    }
    return {};
}

void fillConstants(MemoryTimeline& out) {
    std::set<std::pair<const std::byte*, std::string_view>> seen;
    for (std::uint32_t i = 0; i < out.method->values.size(); ++i) {
        const auto* tensor = out.method->values[i].as<program::TensorInfo>();
        if (tensor == nullptr || tensor->allocation) {
            continue;
        }
        out.unboundedTensors += tensor->dynamism == program::ShapeDynamism::Unbounded ? 1 : 0;
        if (tensor->initialData == program::InitialData::None) {
            continue;
        }
        const bool external = tensor->initialData == program::InitialData::External;
        const auto key = std::pair(external ? nullptr : tensor->data.data(), external ? tensor->name : "");
        out.constants.push_back({.value = program::ValueId(i),
                                 .type = memory::detail::tensorType(*tensor),
                                 .name = tensor->name,
                                 .bytes = static_cast<std::uint64_t>(tensor->byteSize.value_or(0)),
                                 .external = external,
                                 .shared = tensor->byteSize.value_or(0) > 0 && !seen.insert(key).second});
    }
    std::ranges::stable_sort(out.constants, std::ranges::greater{}, &ConstantTensor::bytes);
}

/// Counts inputs and outputs that are not in the plan; one that is both counts once.
void countCaller(MemoryTimeline& out) {
    std::set<program::ValueId> ids(out.method->inputs.begin(), out.method->inputs.end());
    ids.insert(out.method->outputs.begin(), out.method->outputs.end());
    for (const program::ValueId id : ids) {
        const auto* tensor = out.method->value(id).as<program::TensorInfo>();
        if (tensor != nullptr && !tensor->allocation && tensor->initialData == program::InitialData::None) {
            out.callerBytes += static_cast<std::uint64_t>(tensor->byteSize.value_or(0));
        }
    }
}

/// Counts named data for the first delegate that refers to them.
void fillNamedBytes(MemoryTimeline& out, const std::vector<program::NamedData>& named) {
    std::vector<std::string_view> names;
    std::ranges::transform(named, std::back_inserter(names), &program::NamedData::key);
    std::vector<bool> counted(named.size());
    for (DelegateBytes& each : out.delegates) {
        for (const std::size_t name : backends::namesIn(out.method->delegate(each.delegate).payload, names)) {
            each.namedBytes += counted[name] ? 0 : named[name].data.size();
            counted[name] = true;
        }
    }
}

constexpr TensorKind kindOf(program::TrainingRole role) {
    switch (role) {
        case program::TrainingRole::Loss:
            return TensorKind::Loss;
        case program::TrainingRole::Gradient:
            return TensorKind::Gradient;
        case program::TrainingRole::Parameter:
            return TensorKind::Parameter;
    }
    return TensorKind::Output;
}

/// Sets kinds and names of the tensors of a training method. Invalid declarations are reported elsewhere.
void markTraining(MemoryTimeline& out, const program::Program& program) {
    const auto training = program::trainingMethod(program, *out.method);
    if (!training || !*training) {
        return;
    }
    std::map<program::ValueId, program::TrainingMethod::ValueRole> roles;
    for (const auto& each : (*training)->roles()) {
        roles.emplace(each.value, each);
    }
    for (PlannedTensor& tensor : out.tensors) {
        auto found = roles.find(tensor.value);
        for (std::size_t i = 0; found == roles.end() && i < tensor.aliases.size(); ++i) {
            found = roles.find(tensor.aliases[i]);
        }
        if (found != roles.end()) {
            tensor.kind = kindOf(found->second.role);
            tensor.name = tensor.name.empty() ? found->second.name : tensor.name;
        }
    }
}

void fillDelegates(MemoryTimeline& out) {
    for (std::uint32_t i = 0; i < out.method->delegates.size(); ++i) {
        const program::Delegate& each = out.method->delegates[i];
        out.delegates.push_back({.delegate = program::DelegateId(i),
                                 .backend = each.backend,
                                 .payloadBytes = each.payload.size()});
    }
    for (const program::Chain& chain : out.method->chains) {
        for (const program::Instruction& instruction : chain.instructions) {
            if (const auto* call = std::get_if<program::DelegateCall>(&instruction)) {
                ++out.delegates[call->delegate.value].calls;
            }
        }
    }
}

}  // namespace

std::string_view tensorKindName(TensorKind kind) {
    return kindNames[static_cast<std::size_t>(kind)];
}

std::uint64_t MemoryTimeline::plannedBytes() const {
    return sumOf(arenas, &ArenaTimeline::plannedBytes);
}

std::uint64_t MemoryTimeline::peakBytes() const {
    return sumOf(arenas, &ArenaTimeline::peakBytes);
}

std::uint64_t MemoryTimeline::constantBytes() const {
    std::uint64_t sum = 0;
    for (const ConstantTensor& each : constants) {
        sum += each.shared ? 0 : each.bytes;
    }
    return sum;
}

std::uint64_t MemoryTimeline::payloadBytes() const {
    return sumOf(delegates, &DelegateBytes::payloadBytes);
}

std::uint64_t MemoryTimeline::delegateBytes() const {
    return payloadBytes() + sumOf(delegates, &DelegateBytes::namedBytes);
}

Result<MemoryTimeline> MemoryTimeline::build(const program::Program& program, const program::Method& method) {
    ET_ASSIGN(MemoryTimeline out, build(method));
    fillNamedBytes(out, program.namedData);
    markTraining(out, program);
    return out;
}

Result<MemoryTimeline> MemoryTimeline::build(const program::Method& method) {
    MemoryTimeline out{.method = &method};
    ET_ASSIGN(memory::detail::MethodUses uses, memory::detail::usesOf(method));
    out.tensors = memory::detail::plannedTensors(method, uses);
    out.inPlace = memory::detail::inPlaceChances(method, out.tensors);
    memory::detail::markHandedOn(out.tensors, out.inPlace);
    out.overlaps = findOverlaps(out.tensors, uses.branches);
    MoveCheck(out, uses.branches).run();
    out.steps = std::move(uses.steps);
    out.stepNames = std::move(uses.stepNames);
    ET_TRY(fillArenas(out));
    fillConstants(out);
    countCaller(out);
    fillDelegates(out);
    return out;
}

std::string stepText(const MemoryTimeline& timeline, Step step) {
    if (step < 0) {
        return "before the first instruction";
    }
    if (static_cast<std::size_t>(step) >= timeline.steps.size()) {
        return "after the last instruction";
    }
    const ChainPosition& place = timeline.steps[static_cast<std::size_t>(step)];
    return place.chain == 0
               ? fmt::format("at instruction {}", place.instruction.value)
               : fmt::format("at instruction {} of chain {}", place.instruction.value, place.chain);
}

std::string describe(const PlanOverlap& overlap, const MemoryTimeline& timeline) {
    const PlannedTensor& first = timeline.tensors[overlap.first];
    const PlannedTensor& second = timeline.tensors[overlap.second];
    const std::string moved =
        overlap.movedTo ? fmt::format(" (moved to {})", overlap.movedTo->value) : std::string();
    return fmt::format("values {}{} and {} overlap in arena {} while both are alive {}", first.value.value,
                       moved, second.value.value, first.arena.value, stepText(timeline, overlap.step));
}

}  // namespace et::inspector
