#include "runtime/builder/method_plan.h"

#include "runtime/core/disjoint_sets.h"
#include "runtime/program/method.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace et::builder {

using core::Result;
using program::Allocation;
using program::TensorInfo;
using program::ValueId;

namespace {

/// Inclusive range of steps in which a value is needed. Step -1 is before the first instruction, the number
/// of instructions after the last.
struct Lifetime {
    std::int64_t first = -1;
    std::int64_t last = -1;
    bool used = false;

    void cover(std::int64_t step);
    void cover(const Lifetime& other);
    [[nodiscard]] bool meets(const Lifetime& other) const;
};

/// The range of a loop, if the instruction is a backward jump.
Lifetime loopRange(const program::Instruction& instruction, std::int64_t step) {
    const auto* jump = std::get_if<program::JumpFalseCall>(&instruction);
    Lifetime loop;
    if (jump != nullptr && jump->destination.value <= step) {
        loop.cover(jump->destination.value);
        loop.cover(step);
    }
    return loop;
}

class Walk {
  public:
    Walk(const program::Method& of, const program::Chain& what,
         const std::map<std::uint32_t, std::uint32_t>& aliases)
        : method(of), chain(what), groups(of.values.size()), lives(of.values.size()) {
        for (const auto& [value, other] : aliases) {
            join(value, other);
        }
        for (const program::Instruction& instruction : chain.instructions) {
            if (const auto* move = std::get_if<program::MoveCall>(&instruction)) {
                join(move->from.value, move->to.value);
            }
        }
    }

    std::vector<Lifetime> run() {
        touchAll(method.inputs, -1);
        for (std::size_t i = 0; i < chain.instructions.size(); ++i) {
            step = static_cast<std::int64_t>(i);
            std::visit(*this, chain.instructions[i]);
        }
        touchAll(method.outputs, static_cast<std::int64_t>(chain.instructions.size()));
        widenInLoops();
        std::vector<Lifetime> result;
        for (std::uint32_t value = 0; value < lives.size(); ++value) {
            result.push_back(lives[groups.leader(value)]);
        }
        return result;
    }

    void operator()(const program::KernelCall& call) { touchAll(call.args, step); }
    void operator()(const program::DelegateCall& call) { touchAll(call.args, step); }
    void operator()(const program::MoveCall& call) {
        touch(call.from, step);
        touch(call.to, step);
    }
    void operator()(const program::JumpFalseCall& call) { touch(call.condition, step); }
    void operator()(const program::FreeCall& call) { touch(call.value, step); }

  private:
    /// Ids that do not exist are reported by MethodBuilder::finish().
    void join(std::uint32_t left, std::uint32_t right) {
        if (left < groups.size() && right < groups.size()) {
            groups.join(right, left);
        }
    }
    void touchAll(const std::vector<ValueId>& ids, std::int64_t at) {
        for (const ValueId id : ids) {
            touch(id, at);
        }
    }

    void touch(ValueId id, std::int64_t at) {
        if (id.value >= lives.size()) {
            return;  // reported elsewhere
        }
        lives[groups.leader(id.value)].cover(at);
        if (const auto* list = method.value(id).as<program::TensorList>()) {
            touchAll(list->items, at);
        } else if (const auto* optionals = method.value(id).as<program::OptionalTensorList>()) {
            for (const std::optional<ValueId>& item : optionals->items) {
                if (item) {
                    touch(*item, at);
                }
            }
        }
    }

    /// Repeated, because extending a value's lifetime through a loop may take it into another loop.
    void widenInLoops() {
        bool changed = true;
        while (changed) {
            changed = false;
            for (std::size_t i = 0; i < chain.instructions.size(); ++i) {
                const Lifetime loop = loopRange(chain.instructions[i], static_cast<std::int64_t>(i));
                changed = (loop.used && widenIn(loop)) || changed;
            }
        }
    }

    bool widenIn(const Lifetime& loop) {
        bool changed = false;
        for (Lifetime& life : lives) {
            if (life.used && life.meets(loop) && (life.first > loop.first || life.last < loop.last)) {
                life.cover(loop);
                changed = true;
            }
        }
        return changed;
    }

    const program::Method& method;
    const program::Chain& chain;
    core::DisjointSets groups;  ///< of values that share memory
    std::vector<Lifetime> lives;
    std::int64_t step = 0;
};

void Lifetime::cover(std::int64_t at) {
    first = used ? std::min(first, at) : at;
    last = used ? std::max(last, at) : at;
    used = true;
}

void Lifetime::cover(const Lifetime& other) {
    cover(other.first);
    cover(other.last);
}

bool Lifetime::meets(const Lifetime& other) const {
    return first <= other.last && other.first <= last;
}

/// Computes the lifetimes of the values of a single-chain method. `aliases` maps a value to the owner of its
/// memory: both get the same lifetime, as do both operands of a move, which transfers a tensor without
/// copying. A value alive anywhere in a loop (a backward jump) is alive in all of it.
std::vector<Lifetime> computeLifetimes(const program::Method& method, const program::Chain& chain,
                                       const std::map<std::uint32_t, std::uint32_t>& aliases) {
    return Walk(method, chain, aliases).run();
}

/// The tensors of one arena.
struct ArenaContent {
    std::vector<TensorInfo*> tensors;
    std::vector<MemoryBlock> blocks;
};

class Planning {
  public:
    Planning(program::Method& of, const MemoryHints& what) : method(of), wishes(what) {}

    Result<> run(PlanStrategy strategy) {
        gather();
        std::uint32_t count = 2;  // arena 0 is reserved, and files contain arena 1 even if empty
        for (const auto& [arena, content] : contents) {
            count = std::max(count, arena + 1);
        }
        for (const auto& [arena, given] : wishes.arenas) {
            count = std::max(count, arena + 1);
        }
        method.arenas.assign(count, {});
        for (const auto& [arena, content] : contents) {
            ET_TRY(planArena(arena, content, strategy));
        }
        for (const auto& [arena, given] : wishes.arenas) {
            method.arenas[arena] = given;
        }
        placeAliases();
        return {};
    }

  private:
    TensorInfo* tensorAt(std::uint32_t value) {
        return value < method.values.size() ? method.values[value].as<TensorInfo>() : nullptr;
    }

    [[nodiscard]] std::vector<Lifetime> lifetimes() const {
        const program::Chain none;
        std::vector<Lifetime> lives =
            computeLifetimes(method, method.chains.empty() ? none : method.chains.front(), wishes.aliases);
        for (const std::uint32_t state : wishes.states) {
            lives[state].used = false;
        }
        return lives;
    }

    void gather() {
        const std::vector<Lifetime> lives = lifetimes();
        for (const auto& [value, arena] : wishes.planned) {
            const auto hand = wishes.byHand.find(value);
            if (TensorInfo* tensor = tensorAt(value); tensor != nullptr && hand == wishes.byHand.end()) {
                add(tensor, arena.value, blockOf(*tensor, lives[value]));
            }
        }
        for (const auto& [value, place] : wishes.byHand) {
            if (TensorInfo* tensor = tensorAt(value)) {
                MemoryBlock block = blockOf(*tensor, lives[value]);
                block.offset = place.offset;
                add(tensor, place.arena.value, block);
            }
        }
    }

    void add(TensorInfo* tensor, std::uint32_t arena, const MemoryBlock& block) {
        contents[arena].tensors.push_back(tensor);
        contents[arena].blocks.push_back(block);
    }

    /// Values that are unused, or used across executions, are alive all the time.
    [[nodiscard]] MemoryBlock blockOf(const TensorInfo& tensor, const Lifetime& life) const {
        constexpr std::int64_t before = -1;
        const std::size_t length = method.chains.empty() ? 0 : method.chains.front().instructions.size();
        return {.bytes = static_cast<std::uint64_t>(tensor.byteSize.value_or(0)),
                .firstStep = life.used ? life.first : before,
                .lastStep = life.used ? life.last : static_cast<std::int64_t>(length)};
    }

    Result<> planArena(std::uint32_t arena, const ArenaContent& content, PlanStrategy strategy) {
        if (wishes.arenas.contains(arena) && allByHand(content)) {
            allocate(arena, content, {});
            return {};
        }
        ET_ASSIGN(const MemoryPlan plan, planMemory(content.blocks, strategy));
        method.arenas[arena].bytes = plan.bytes;
        allocate(arena, content, plan.offsets);
        return {};
    }

    static bool allByHand(const ArenaContent& content) {
        return std::ranges::all_of(content.blocks,
                                   [](const MemoryBlock& block) { return block.offset.has_value(); });
    }

    static void allocate(std::uint32_t arena, const ArenaContent& content,
                         const std::vector<std::uint64_t>& offsets) {
        for (std::size_t i = 0; i < content.tensors.size(); ++i) {
            const std::optional<std::uint64_t> given = content.blocks[i].offset;
            content.tensors[i]->allocation =
                Allocation{.arena = program::ArenaId(arena), .offset = given ? *given : offsets[i]};
        }
    }

    /// An alias of an alias has a higher id, so its base tensor is already placed.
    void placeAliases() {
        for (const auto& [value, other] : wishes.aliases) {
            TensorInfo* tensor = tensorAt(value);
            const TensorInfo* followed = tensorAt(other);
            if (tensor != nullptr && followed != nullptr && !wishes.byHand.contains(value)) {
                tensor->allocation = followed->allocation;
                if (!followed->allocation) {  // a constant
                    tensor->initialData = followed->initialData;
                    tensor->data = followed->data;
                    tensor->name = followed->name;
                }
            }
        }
    }

    program::Method& method;
    const MemoryHints& wishes;
    std::map<std::uint32_t, ArenaContent> contents;
};

}  // namespace

Result<> planMethod(program::Method& method, const MemoryHints& wishes, PlanStrategy strategy) {
    return Planning(method, wishes).run(strategy);
}

}  // namespace et::builder
