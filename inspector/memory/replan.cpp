#include "inspector/memory/replan.h"

#include "inspector/memory/memory_timeline.h"
#include "runtime/builder/memory_planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace et::inspector {

using builder::MemoryBlock;
using core::Result;
using program::ArenaId;
using program::TensorInfo;
using program::ValueId;

namespace {

const TensorInfo& infoOf(const program::Method& method, ValueId id) {
    return *method.value(id).as<TensorInfo>();
}

bool holds(const program::Method& method, const PlannedTensor& tensor, ValueId alias) {
    const TensorInfo& info = infoOf(method, alias);
    return !info.allocation ||
           (info.allocation->arena == tensor.arena && info.allocation->offset >= tensor.offset &&
            info.allocation->offset + static_cast<std::uint64_t>(info.byteSize.value_or(0)) <= tensor.end());
}

/// Exporters and runtimes use memory ids from this one on for state shared between methods.
constexpr std::uint32_t firstSharedArena = 2;

class MethodPlanner {
  public:
    MethodPlanner(program::Method& which, const std::set<ArenaId>& sharedArenas, const ReplanOptions& how)
        : method(which), shared(sharedArenas), options(how) {}

    Result<MethodReplan> run() {
        MethodReplan out{.method = method.name, .arenas = {}};
        ET_ASSIGN(timeline, MemoryTimeline::build(method));
        if (timeline.tensors.size() > maxReplannedTensors) {
            return core::fail(core::ErrorCode::Limit,
                              fmt::format("at most {} tensors can be replanned, the method has {}",
                                          maxReplannedTensors, timeline.tensors.size()));
        }
        // Values keep their old addresses until all arenas are done.
        std::vector<std::pair<ValueId, std::uint64_t>> moves;
        for (const ArenaTimeline& arena : timeline.arenas) {
            ET_ASSIGN(ArenaReplan done, plan(arena, moves));
            out.arenas.push_back(std::move(done));
        }
        for (const auto& [value, offset] : moves) {
            method.values[value.value].as<TensorInfo>()->allocation->offset = offset;
        }
        for (const ArenaReplan& arena : out.arenas) {
            if (arena.after != arena.before) {
                method.arenas[arena.arena.value].bytes = arena.after;
            }
        }
        return out;
    }

  private:
    Result<ArenaReplan> plan(const ArenaTimeline& arena,
                             std::vector<std::pair<ValueId, std::uint64_t>>& moves) {
        ArenaReplan out{
            .arena = arena.arena, .before = arena.plannedBytes, .after = arena.plannedBytes, .kept = {}};
        const std::vector<std::size_t> placed = placedIn(arena.arena);
        out.kept = reasonToKeep(arena.arena, placed);
        if (!out.kept.empty()) {
            return out;
        }
        const Blocks blocks = blocksOf(placed);
        out.lowerBound = builder::planLowerBound(blocks.blocks, options.alignment);
        ET_ASSIGN(const builder::MemoryPlan found, search(blocks.blocks, out));
        out.smallest |= std::min(found.bytes, out.before) <= out.lowerBound;
        const bool isBroken = std::ranges::any_of(timeline.overlaps, [&](const PlanOverlap& each) {
            return each.movedTo && timeline.tensors[each.first].arena == arena.arena;
        });
        if (!isBroken && found.bytes >= out.before && !(options.larger && found.bytes != out.before)) {
            return out;
        }
        out.after = found.bytes;
        out.tensors = placed.size();
        out.inPlace = placed.size() - blocks.blocks.size();
        for (std::size_t i = 0; i < placed.size(); ++i) {
            move(timeline.tensors[placed[i]], found.offsets[blocks.of[i]], moves);
        }
        return out;
    }

    /// Units of placement: a tensor, or several that reuse one another's memory in place.
    struct Blocks {
        std::vector<MemoryBlock> blocks;
        std::vector<std::size_t> of;  ///< placed tensor -> index of its block
    };
    [[nodiscard]] Blocks blocksOf(const std::vector<std::size_t>& placed) const {
        const std::map<std::size_t, std::size_t> givers =
            options.inPlace ? chosenGivers() : std::map<std::size_t, std::size_t>();
        Blocks out;
        std::map<std::size_t, std::size_t> blockOfFirst;  // by the first tensor of a block
        for (const std::size_t index : placed) {
            std::size_t first = index;
            for (auto giver = givers.find(first); giver != givers.end(); giver = givers.find(first)) {
                first = giver->second;
            }
            const auto [known, isNew] = blockOfFirst.try_emplace(first, out.blocks.size());
            if (isNew) {
                out.blocks.push_back(blockOf(timeline.tensors[first]));
            }
            out.of.push_back(known->second);
            if (index != first) {
                Step& last = out.blocks[known->second].lastStep;
                last = std::max(last, timeline.tensors[index].lastStep);
            }
        }
        return out;
    }

    /// Taker -> giver; each tensor gives and takes at most once.
    [[nodiscard]] std::map<std::size_t, std::size_t> chosenGivers() const {
        std::map<std::size_t, std::size_t> givers;
        std::set<std::size_t> given;
        for (const InPlaceCandidate& each : timeline.inPlace) {
            if (!given.contains(each.giver) && givers.try_emplace(each.taker, each.giver).second) {
                given.insert(each.giver);
            }
        }
        return givers;
    }

    Result<builder::MemoryPlan> search(const std::vector<MemoryBlock>& blocks, ArenaReplan& out) const {
        if (options.algorithm == ReplanAlgorithm::Best) {
            ET_ASSIGN(builder::SearchedPlan best,
                      builder::searchPlan(blocks, options.alignment, options.effort));
            out.smallest = best.smallest && best.plan.bytes <= out.before;
            return std::move(best.plan);
        }
        return builder::planMemory(blocks,
                                   options.algorithm == ReplanAlgorithm::Naive
                                       ? builder::PlanStrategy::Naive
                                       : builder::PlanStrategy::Greedy,
                                   options.alignment);
    }

    [[nodiscard]] std::vector<std::size_t> placedIn(ArenaId arena) const {
        std::vector<std::size_t> placed;
        for (std::size_t i = 0; i < timeline.tensors.size(); ++i) {
            if (timeline.tensors[i].arena == arena) {
                placed.push_back(i);
            }
        }
        return placed;
    }

    /// An unused tensor needs memory, but at no particular address: it is planned as if alive before the
    /// first instruction, when only inputs and state are alive.
    [[nodiscard]] static MemoryBlock blockOf(const PlannedTensor& tensor) {
        if (tensor.firstStep > tensor.lastStep) {
            return {.bytes = tensor.bytes, .firstStep = unusedStep, .lastStep = unusedStep};
        }
        return {.bytes = tensor.bytes, .firstStep = tensor.firstStep, .lastStep = tensor.lastStep};
    }

    /// Returns the reason to keep the plan of an arena; empty if it can be replanned.
    [[nodiscard]] std::string reasonToKeep(ArenaId arena, const std::vector<std::size_t>& placed) const {
        if (options.algorithm == ReplanAlgorithm::None) {
            return "as asked";
        }
        if (shared.contains(arena)) {
            return "other methods may share its memory";
        }
        for (const PlanOverlap& overlap : timeline.overlaps) {
            // The lifetimes of moved values are known, so a new plan is right.
            if (timeline.tensors[overlap.first].arena == arena && !overlap.movedTo) {
                return describe(overlap, timeline);
            }
        }
        for (const std::size_t index : placed) {
            const PlannedTensor& tensor = timeline.tensors[index];
            for (const ValueId alias : tensor.aliases) {
                const auto& place = method.value(alias).as<TensorInfo>()->allocation;
                if (place &&
                    (place->arena != arena || place->offset < tensor.offset || endOf(alias) > tensor.end())) {
                    return fmt::format("value {} is a view of value {}, but is at another address",
                                       alias.value, tensor.value.value);
                }
            }
        }
        return {};
    }

    [[nodiscard]] std::uint64_t endOf(ValueId id) const {
        const auto& info = *method.value(id).as<TensorInfo>();
        return info.allocation->offset + static_cast<std::uint64_t>(info.byteSize.value_or(0));
    }

    void move(const PlannedTensor& tensor, std::uint64_t offset,
              std::vector<std::pair<ValueId, std::uint64_t>>& moves) const {
        moves.emplace_back(tensor.value, offset);
        for (const ValueId alias : tensor.aliases) {
            if (const auto& place = method.value(alias).as<TensorInfo>()->allocation) {
                moves.emplace_back(alias, offset + (place->offset - tensor.offset));
            }
        }
    }

    static constexpr Step unusedStep = -2;

    program::Method& method;
    const std::set<ArenaId>& shared;
    const ReplanOptions& options;
    MemoryTimeline timeline;
};

/// Arenas for which a runtime may use the same memory in several methods.
std::set<ArenaId> sharedArenas(std::span<const program::Method> methods) {
    std::map<std::uint32_t, std::size_t> methodsByArena;
    for (const program::Method& method : methods) {
        for (std::uint32_t i = firstSharedArena; i < method.arenas.size(); ++i) {
            methodsByArena[i] += method.arenas[i].bytes > 0 ? 1 : 0;
        }
    }
    std::set<ArenaId> shared;
    for (const auto& [arena, count] : methodsByArena) {
        if (count > 1) {
            shared.insert(ArenaId(arena));
        }
    }
    return shared;
}

std::uint64_t sum(const std::vector<ArenaReplan>& arenas, std::uint64_t ArenaReplan::* bytes) {
    return std::accumulate(arenas.begin(), arenas.end(), std::uint64_t{0},
                           [&](std::uint64_t all, const ArenaReplan& each) { return all + each.*bytes; });
}

}  // namespace

core::Result<> spreadPlan(program::Method& method) {
    ET_ASSIGN(const MemoryTimeline timeline, MemoryTimeline::build(method));
    const bool isPlain =
        timeline.overlaps.empty() && std::ranges::all_of(timeline.tensors, [&](const PlannedTensor& tensor) {
            return std::ranges::all_of(tensor.aliases,
                                       [&](ValueId alias) { return holds(method, tensor, alias); });
        });
    if (!isPlain) {
        return {};
    }
    std::vector<std::uint64_t> ends(method.arenas.size());
    for (const PlannedTensor& tensor : timeline.tensors) {
        std::uint64_t& end = ends[tensor.arena.value];
        const auto move = [&](ValueId id) {
            auto& place = method.values[id.value].as<TensorInfo>()->allocation;
            if (place) {
                place->offset = end + (place->offset - tensor.offset);
            }
        };
        move(tensor.value);
        std::ranges::for_each(tensor.aliases, move);
        const std::uint64_t bytes = std::max<std::uint64_t>(tensor.bytes, 1);  // distinct addresses identify
                                                                               // the viewed tensor
        end += (bytes + builder::planAlignment - 1) / builder::planAlignment * builder::planAlignment;
    }
    for (std::size_t i = 0; i < ends.size(); ++i) {
        method.arenas[i].bytes = std::max(method.arenas[i].bytes, ends[i]);
    }
    return {};
}

std::uint64_t MethodReplan::before() const {
    return sum(arenas, &ArenaReplan::before);
}

std::uint64_t MethodReplan::after() const {
    return sum(arenas, &ArenaReplan::after);
}

Result<std::vector<MethodReplan>> replan(std::span<program::Method> methods, const ReplanOptions& options) {
    const std::set<ArenaId> shared = sharedArenas(methods);
    std::vector<MethodReplan> out;
    for (program::Method& method : methods) {
        ET_ASSIGN(MethodReplan done, MethodPlanner(method, shared, options).run());
        out.push_back(std::move(done));
    }
    return out;
}

}  // namespace et::inspector
