#include "runtime/builder/plan_search.h"

#include "runtime/builder/detail/block_placer.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace et::builder {

using core::Result;

namespace {

using Order = std::vector<std::size_t>;
using Clock = std::chrono::steady_clock;

/// Above this number of blocks, one plan takes so long (quadratic time) that exchanges are useless.
constexpr std::size_t mostExchanged = 4'000;
/// Maximum number of blocks and placements for trying all orders.
constexpr std::size_t mostEnumerated = 14;
constexpr std::size_t mostPlacements = 400'000;

std::uint64_t stepsOf(const MemoryBlock& block) {
    return static_cast<std::uint64_t>(block.lastStep - block.firstStep + 1);
}

/// Places blocks in a given order, each at its lowest free offset.
class Placer {
  public:
    Placer(std::span<const MemoryBlock> all, std::uint64_t alignTo)
        : blocks(all), alignment(alignTo), placer(PlanStrategy::Greedy, alignTo) {}

    [[nodiscard]] MemoryPlan place(const Order& order) {
        MemoryPlan plan{.offsets = std::vector<std::uint64_t>(blocks.size())};
        placer.clear();
        for (const std::size_t index : order) {
            const std::uint64_t offset = placer.put(blocks[index]);
            plan.offsets[index] = offset;
            plan.bytes = std::max(plan.bytes, detail::alignedTo(offset + blocks[index].bytes, alignment));
        }
        return plan;
    }

  private:
    std::span<const MemoryBlock> blocks;
    std::uint64_t alignment;
    detail::BlockPlacer placer;
};

/// Tries all orders of stacking the blocks.
class Enumeration {
  public:
    Enumeration(std::span<const MemoryBlock> all, std::uint64_t alignTo, MemoryPlan start)
        : blocks(all), alignment(alignTo), best(std::move(start)), offsets(all.size()), taken(all.size()) {}

    /// Returns false if the number of placements exceeded the limit.
    bool run() {
        descend(0, 0);
        return placements < mostPlacements;
    }
    [[nodiscard]] MemoryPlan take() { return std::move(best); }

  private:
    /// In an optimal plan each block is at offset 0 or directly above a conflicting block, and blocks can be
    /// placed from the lowest to the highest.
    void descend(std::uint64_t height, std::uint64_t lastOffset) {
        if (order.size() == blocks.size()) {
            best = {.offsets = offsets, .bytes = height};
            return;
        }
        for (std::size_t i = 0; i < blocks.size() && placements < mostPlacements; ++i) {
            if (taken[i]) {
                continue;
            }
            const std::uint64_t offset = onTop(blocks[i]);
            const std::uint64_t end =
                std::max(height, detail::alignedTo(offset + blocks[i].bytes, alignment));
            if (offset < lastOffset || end >= best.bytes) {
                continue;
            }
            ++placements;
            taken[i] = true;
            offsets[i] = offset;
            order.push_back(i);
            descend(end, offset);
            order.pop_back();
            taken[i] = false;
        }
    }

    [[nodiscard]] std::uint64_t onTop(const MemoryBlock& block) const {
        std::uint64_t offset = 0;
        for (const std::size_t other : order) {
            if (block.bytes > 0 && blocks[other].bytes > 0 && detail::liveTogether(block, blocks[other])) {
                offset = std::max(offset, detail::alignedTo(offsets[other] + blocks[other].bytes, alignment));
            }
        }
        return offset;
    }

    std::span<const MemoryBlock> blocks;
    std::uint64_t alignment;
    MemoryPlan best;
    std::vector<std::uint64_t> offsets;
    std::vector<bool> taken;
    Order order;
    std::size_t placements = 0;
};

class Search {
  public:
    Search(std::span<const MemoryBlock> all, std::uint64_t alignTo, MemoryPlan start,
           const PlanEffort& howMuch)
        : blocks(all),
          alignment(alignTo),
          effort(howMuch),
          until(Clock::now() + howMuch.time),
          placer(all, alignTo),
          best{.plan = std::move(start), .lowerBound = planLowerBound(all, alignTo)} {}

    SearchedPlan run() {
        tryOrders();
        if (!ends() && blocks.size() <= mostEnumerated && !anyByHand()) {
            Enumeration all(blocks, alignment, best.plan);
            best.smallest = all.run();
            best.plan = all.take();
        }
        if (!ends() && blocks.size() <= mostExchanged) {
            exchange();
        }
        best.smallest = done();
        return std::move(best);
    }

  private:
    [[nodiscard]] bool done() const { return best.smallest || best.plan.bytes <= best.lowerBound; }
    [[nodiscard]] bool ends() const {
        return done() || (effort.cancel != nullptr && effort.cancel->load(std::memory_order_relaxed));
    }
    [[nodiscard]] bool anyByHand() const {
        return std::ranges::any_of(blocks, [](const MemoryBlock& each) { return each.offset.has_value(); });
    }

    /// Blocks with given offsets come first, so that the others avoid them.
    [[nodiscard]] Order orderBy(const std::function<double(const MemoryBlock&)>& weight) const {
        Order order(blocks.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) {
            return std::pair(blocks[i].offset.has_value(), weight(blocks[i]));
        });
        return order;
    }

    void tryOrders() {
        const auto bytes = [](const MemoryBlock& each) { return static_cast<double>(each.bytes); };
        const auto steps = [](const MemoryBlock& each) { return static_cast<double>(stepsOf(each)); };
        const std::array<std::function<double(const MemoryBlock&)>, 5> weights{
            bytes, [&](const MemoryBlock& each) { return bytes(each) * steps(each); },
            [&](const MemoryBlock& each) { return (steps(each) * 0x1p40) + bytes(each); },
            [&](const MemoryBlock& each) { return -static_cast<double>(each.firstStep); },
            [&](const MemoryBlock& each) { return static_cast<double>(each.lastStep); }};
        for (const auto& weight : weights) {
            if (ends()) {
                return;
            }
            consider(orderBy(weight));
        }
    }

    /// Whether the plan of this order is at least as good as the best so far.
    bool consider(Order order) {
        MemoryPlan plan = placer.place(order);
        const bool good = bestOrder.empty() || plan.bytes <= bestOrderBytes;
        if (good) {
            bestOrder = std::move(order);
            bestOrderBytes = plan.bytes;
        }
        if (plan.bytes < best.plan.bytes) {
            best.plan = std::move(plan);
        }
        return good;
    }

    /// Moves the topmost or another block to an earlier position in the order, and keeps the change if the
    /// plan is not worse: accepting equal plans escapes local minima.
    void exchange() {
        constexpr std::uint32_t seed = 1;
        std::minstd_rand random(seed);
        const auto below = [&](std::size_t end) { return random() % std::max<std::size_t>(end, 1); };
        for (std::size_t round = 0; round < effort.rounds && !ends() && Clock::now() < until; ++round) {
            Order order = bestOrder;
            const std::size_t from = round % 2 == 0 ? highest(order) : below(order.size());
            const std::size_t to = below(from + 1);
            if (blocks[order[to]].offset || blocks[order[from]].offset) {
                continue;
            }
            std::rotate(order.begin() + static_cast<std::ptrdiff_t>(to),
                        order.begin() + static_cast<std::ptrdiff_t>(from),
                        order.begin() + static_cast<std::ptrdiff_t>(from) + 1);
            consider(std::move(order));
        }
    }

    /// Position in the order of the block that ends at the top of the plan.
    [[nodiscard]] std::size_t highest(const Order& order) {
        const MemoryPlan plan = placer.place(order);
        const auto found = std::ranges::find_if(order, [&](std::size_t i) {
            return detail::alignedTo(plan.offsets[i] + blocks[i].bytes, alignment) == plan.bytes;
        });
        return static_cast<std::size_t>(found - order.begin());
    }

    std::span<const MemoryBlock> blocks;
    std::uint64_t alignment;
    PlanEffort effort;
    Clock::time_point until;
    Placer placer;
    SearchedPlan best;
    Order bestOrder;
    std::uint64_t bestOrderBytes = 0;
};

}  // namespace

std::uint64_t planLowerBound(std::span<const MemoryBlock> blocks, std::uint64_t alignment) {
    std::map<std::int64_t, std::uint64_t> changes;  // wraps around, since differences may be negative
    std::uint64_t bound = 0;
    for (const MemoryBlock& block : blocks) {
        const std::uint64_t bytes = detail::alignedTo(block.bytes, alignment);
        changes[block.firstStep] += bytes;
        changes[block.lastStep + 1] -= bytes;
        bound =
            std::max(bound, block.offset ? detail::alignedTo(*block.offset + block.bytes, alignment) : bytes);
    }
    std::uint64_t live = 0;
    for (const auto& [step, change] : changes) {
        live += change;
        bound = std::max(bound, live);
    }
    return bound;
}

Result<SearchedPlan> searchPlan(std::span<const MemoryBlock> blocks, std::uint64_t alignment,
                                const PlanEffort& effort) {
    // The greedy plan is the initial best; it also checks sizes.
    ET_ASSIGN(MemoryPlan greedy, planMemory(blocks, PlanStrategy::Greedy, alignment));
    return Search(blocks, alignment, std::move(greedy), effort).run();
}

}  // namespace et::builder
