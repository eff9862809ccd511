#include "runtime/builder/memory_planner.h"

#include "runtime/builder/program_builder.h"
#include "runtime/program/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

namespace et::builder {
namespace {

using program::TensorInfo;
using program::ValueId;
using testing::ElementsAre;

MemoryPlan planned(std::vector<MemoryBlock> blocks, PlanStrategy strategy = PlanStrategy::Greedy) {
    const auto plan = planMemory(blocks, strategy);
    EXPECT_TRUE(plan) << plan.error().toString();
    return plan.value_or(MemoryPlan());
}

TEST(MemoryPlanner, NaivePutsOneAfterTheOther) {
    const MemoryPlan plan = planned({{10, 0, 0}, {20, 1, 1}, {16, 2, 2}}, PlanStrategy::Naive);
    EXPECT_THAT(plan.offsets, ElementsAre(0U, 16U, 48U));
    EXPECT_EQ(plan.bytes, 64U);
}

TEST(MemoryPlanner, GreedySharesMemoryBetweenDisjointLifetimes) {
    const MemoryPlan plan = planned({{64, 0, 1}, {32, 1, 2}, {64, 2, 3}, {32, 3, 4}});
    EXPECT_THAT(plan.offsets, ElementsAre(0U, 64U, 0U, 64U));
    EXPECT_EQ(plan.bytes, 96U);
}

TEST(MemoryPlanner, FillsGapsAroundFixedBlocks) {
    const MemoryPlan plan = planned({{32, 0, 9}, {32, 0, 9, 32}, {40, 0, 9}, {0, 0, 9}});
    EXPECT_THAT(plan.offsets, ElementsAre(0U, 32U, 64U, 0U));
    EXPECT_EQ(plan.bytes, 112U);
}

TEST(MemoryPlanner, RejectsPlansBeyondTheLimit) {
    constexpr std::uint64_t max = program::Program::maxPlannedBytes;
    const std::vector<MemoryBlock> blocks{{max, 0, 1}, {max, 1, 2}};
    EXPECT_EQ(planMemory(blocks, PlanStrategy::Greedy).error().code, core::ErrorCode::Limit);
    const std::vector<MemoryBlock> huge{{~std::uint64_t{0}, 0, 1}};
    EXPECT_EQ(planMemory(huge, PlanStrategy::Naive).error().code, core::ErrorCode::Limit);
}

/// Checks that blocks with overlapping lifetimes never overlap in memory.
TEST(MemoryPlanner, NeverOverlapsInTimeAndPlace) {
    std::mt19937 random(3);
    for (int round = 0; round < 50; ++round) {
        std::vector<MemoryBlock> blocks(40);
        for (MemoryBlock& block : blocks) {
            block.bytes = random() % 200;
            block.firstStep = static_cast<std::int64_t>(random() % 30);
            block.lastStep = block.firstStep + static_cast<std::int64_t>(random() % 8);
        }
        const MemoryPlan plan = planned(blocks);
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            EXPECT_EQ(plan.offsets[i] % planAlignment, 0U);
            EXPECT_LE(plan.offsets[i] + blocks[i].bytes, plan.bytes);
            for (std::size_t k = 0; k < i; ++k) {
                const bool inTime =
                    blocks[i].firstStep <= blocks[k].lastStep && blocks[k].firstStep <= blocks[i].lastStep;
                const bool inPlace = plan.offsets[i] < plan.offsets[k] + blocks[k].bytes &&
                                     plan.offsets[k] < plan.offsets[i] + blocks[i].bytes;
                EXPECT_FALSE(inTime && inPlace) << round << " " << i << " " << k;
            }
        }
    }
}

/// Offsets of tensors in a planned method.
class PlannedMethod {
  public:
    explicit PlannedMethod(MethodBuilder& builder) : method(builder.finish().value()) {}
    std::uint64_t operator[](ValueId id) const {
        return method.value(id).as<TensorInfo>()->allocation->offset;
    }
    std::uint64_t bytes() const { return method.arenas[1].bytes; }

  private:
    program::Method method;
};

const TensorSpec line{.sizes = {4}};  // 16 bytes

TEST(MethodPlan, ChainNeedsTwoBuffers) {
    MethodBuilder builder("forward");
    ValueId last = builder.input(line);
    for (int i = 0; i < 10; ++i) {
        const ValueId next = builder.intermediate(line);
        builder.call("aten::relu.out", {last}, {next});
        last = next;
    }
    builder.output(last);
    EXPECT_EQ(PlannedMethod(builder).bytes(), 32U);
    builder.setPlanStrategy(PlanStrategy::Naive);
    EXPECT_EQ(PlannedMethod(builder).bytes(), 11 * 16U);
}

TEST(MethodPlan, StateAndListElementsStayAlive) {
    MethodBuilder builder("forward");
    const ValueId state = builder.state(line);
    const ValueId a = builder.input(line);
    const ValueId b = builder.intermediate(line);
    const ValueId c = builder.intermediate(line);
    builder.call("aten::relu.out", {a}, {b});
    builder.call("aten::relu.out", {b}, {c});
    const ValueId out = builder.intermediate({.sizes = {8}});
    builder.call("aten::cat.out", {std::vector<ValueId>{b, c}, 0}, {out});
    builder.output(out);
    const PlannedMethod plan(builder);
    EXPECT_NE(plan[b], plan[c]);
    EXPECT_NE(plan[state], plan[a]);
    EXPECT_EQ(plan.bytes(), 32 + 3 * 16U);
}

TEST(MethodPlan, AnAliasHasThePlaceOfTheOther) {
    MethodBuilder builder("forward");
    const ValueId a = builder.input({.sizes = {2, 2}});
    const ValueId view = builder.alias(a, line);
    const ValueId b = builder.intermediate(line);
    const ValueId c = builder.intermediate(line);
    builder.call("aten::relu.out", {b}, {b});
    builder.call("aten::add.out", {view, b, 1}, {c});
    builder.output(c);
    const PlannedMethod plan(builder);
    EXPECT_EQ(plan[view], plan[a]);
    EXPECT_NE(plan[b], plan[a]);  // a lives as long as its view
}

TEST(MethodPlan, AnAliasOfAConstantHasItsData) {
    MethodBuilder builder("forward");
    const std::array numbers{1.0F, 2.0F, 3.0F, 4.0F};
    const ValueId weight = builder.constant<float>({.sizes = {2, 2}}, numbers);
    const ValueId view = builder.alias(weight, line);
    builder.output(view);
    const program::Method method = builder.finish().value();
    const auto& tensor = *method.value(view).as<TensorInfo>();
    EXPECT_EQ(tensor.initialData, program::InitialData::Program);
    EXPECT_EQ(tensor.data.data(), method.value(weight).as<TensorInfo>()->data.data());
    EXPECT_FALSE(tensor.allocation);
}

TEST(MethodPlan, LoopInputsLiveThroughTheLoop) {
    MethodBuilder builder("forward");
    const ValueId x = builder.input(line);
    const ValueId t = builder.intermediate(line);
    const ValueId u = builder.intermediate(line);
    const ValueId again = builder.boolean(false);
    const auto start = builder.nextInstruction();
    builder.call("aten::relu.out", {x}, {t});  // reads x in every iteration
    builder.call("aten::relu.out", {t}, {u});
    builder.setDestination(builder.jumpFalse(again), start);
    builder.output(u);
    const PlannedMethod plan(builder);
    EXPECT_NE(plan[u], plan[x]);
}

TEST(MethodPlan, MoveTransfersMemory) {
    MethodBuilder builder("forward");
    const ValueId x = builder.input(line);
    const ValueId y = builder.intermediate(line);
    const ValueId moved = builder.intermediate(line);
    const ValueId z = builder.intermediate(line);
    builder.call("aten::relu.out", {x}, {y});
    builder.move(y, moved);
    builder.call("aten::relu.out", {x}, {z});  // y is no longer used, but its memory is
    builder.call("aten::add.out", {moved, z, 1}, {x});
    builder.output(x);
    const PlannedMethod plan(builder);
    EXPECT_NE(plan[z], plan[y]);
}

}  // namespace
}  // namespace et::builder
