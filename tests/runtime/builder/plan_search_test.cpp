// Tests of the memory plan search: valid, never larger than the planner's, and correctly reported as optimal.
#include "runtime/builder/plan_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace et::builder {
namespace {

using testing::HasSubstr;

constexpr PlanEffort effort{.time = std::chrono::milliseconds(2'000), .rounds = 2'000};

std::vector<MemoryBlock> randomBlocks(std::mt19937& random, std::size_t count, std::int64_t steps) {
    std::vector<MemoryBlock> blocks;
    for (std::size_t i = 0; i < count; ++i) {
        const auto first = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(steps));
        const auto length = static_cast<std::int64_t>(random() % 5);
        blocks.push_back({.bytes = 16 * (random() % 20), .firstStep = first, .lastStep = first + length});
    }
    return blocks;
}

void expectSound(const std::vector<MemoryBlock>& blocks, const MemoryPlan& plan) {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        EXPECT_EQ(plan.offsets[i] % 16, 0U);
        EXPECT_LE(plan.offsets[i] + blocks[i].bytes, plan.bytes);
        for (std::size_t j = 0; j < i; ++j) {
            const bool together = blocks[i].firstStep <= blocks[j].lastStep &&
                                  blocks[j].firstStep <= blocks[i].lastStep && blocks[i].bytes > 0 &&
                                  blocks[j].bytes > 0;
            const bool apart = plan.offsets[i] + blocks[i].bytes <= plan.offsets[j] ||
                               plan.offsets[j] + blocks[j].bytes <= plan.offsets[i];
            EXPECT_TRUE(!together || apart) << i << " and " << j;
        }
    }
}

/// Size of the smallest plan of few blocks: tries all orders, with each block at its lowest free offset.
std::uint64_t smallestOf(const std::vector<MemoryBlock>& blocks) {
    std::vector<std::size_t> order(blocks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::uint64_t smallest = ~std::uint64_t{0};
    do {
        std::vector<std::uint64_t> offsets(blocks.size());
        std::uint64_t height = 0;
        for (std::size_t n = 0; n < order.size(); ++n) {
            const MemoryBlock& block = blocks[order[n]];
            std::uint64_t offset = 0;
            for (bool moved = block.bytes > 0; moved;) {
                moved = false;
                for (std::size_t m = 0; m < n; ++m) {
                    const MemoryBlock& other = blocks[order[m]];
                    const bool meets = block.firstStep <= other.lastStep &&
                                       other.firstStep <= block.lastStep && other.bytes > 0 &&
                                       offset < offsets[order[m]] + other.bytes &&
                                       offsets[order[m]] < offset + block.bytes;
                    if (meets) {
                        offset = offsets[order[m]] + other.bytes;
                        moved = true;
                    }
                }
            }
            offsets[order[n]] = offset;
            height = std::max(height, offset + block.bytes);
        }
        smallest = std::min(smallest, height);
    } while (std::ranges::next_permutation(order).found);
    return smallest;
}

TEST(PlanSearch, IsSoundAndNeverWorseThanGreedy) {
    std::mt19937 random(7);
    std::size_t better = 0;
    for (int round = 0; round < 60; ++round) {
        const auto blocks = randomBlocks(random, 5 + random() % 60, 30);
        const auto greedy = planMemory(blocks, PlanStrategy::Greedy).value();
        const auto found = searchPlan(blocks, 16, effort).value();
        expectSound(blocks, found.plan);
        EXPECT_LE(found.plan.bytes, greedy.bytes);
        EXPECT_GE(found.plan.bytes, found.lowerBound);
        better += found.plan.bytes < greedy.bytes ? 1 : 0;
    }
    EXPECT_GT(better, 5U);
}

TEST(PlanSearch, FindsAndProvesTheSmallestOfFew) {
    std::mt19937 random(11);
    std::size_t aboveBound = 0;
    for (int round = 0; round < 150; ++round) {
        const auto blocks = randomBlocks(random, 3 + random() % 5, 6);
        const auto found = searchPlan(blocks, 16, effort).value();
        EXPECT_TRUE(found.smallest);
        EXPECT_EQ(found.plan.bytes, smallestOf(blocks)) << round;
        aboveBound += found.plan.bytes > found.lowerBound ? 1 : 0;
    }
    RecordProperty("above_bound", static_cast<int>(aboveBound));
}

TEST(PlanSearch, KeepsFixedBlocks) {
    const std::vector<MemoryBlock> blocks{{.bytes = 64, .firstStep = 0, .lastStep = 3, .offset = 64},
                                          {.bytes = 64, .firstStep = 1, .lastStep = 2},
                                          {.bytes = 128, .firstStep = 2, .lastStep = 3}};
    const auto found = searchPlan(blocks, 16, effort).value();
    EXPECT_EQ(found.plan.offsets[0], 64U);
    EXPECT_EQ(found.plan.bytes, 256U);
    expectSound(blocks, found.plan);
}

TEST(PlanSearch, TheSameBlocksGiveTheSamePlan) {
    std::mt19937 random(3);
    const auto blocks = randomBlocks(random, 80, 40);
    const auto one = searchPlan(blocks, 16, effort).value();
    const auto other = searchPlan(blocks, 16, effort).value();
    EXPECT_EQ(one.plan.offsets, other.plan.offsets);
}

TEST(PlanSearch, RejectsPlansBeyondTheLimit) {
    const std::vector<MemoryBlock> blocks{{.bytes = ~std::uint64_t{0} / 2, .firstStep = 0, .lastStep = 1}};
    const auto found = searchPlan(blocks, 16, effort);
    ASSERT_FALSE(found);
    EXPECT_THAT(found.error().message, HasSubstr("memory plan of at most"));
}

TEST(PlanSearch, EmptyInputGivesEmptyPlan) {
    const auto found = searchPlan({}, 16, effort).value();
    EXPECT_EQ(found.plan.bytes, 0U);
    EXPECT_TRUE(found.smallest);
}

}  // namespace
}  // namespace et::builder
