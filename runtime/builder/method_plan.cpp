#include "runtime/builder/method_plan.h"

#include "runtime/builder/detail/lifetimes.h"

#include <algorithm>
#include <optional>

namespace et::builder {

using core::Result;
using detail::Lifetime;
using program::Allocation;
using program::TensorInfo;

namespace {

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
        std::vector<Lifetime> lives = detail::computeLifetimes(
            method, method.chains.empty() ? none : method.chains.front(), wishes.aliases);
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
