// Tests of a method's memory plan over the instructions of a run.
#include "inspector/join/instruction_nodes.h"
#include "inspector/memory/memory_picture.h"
#include "inspector/memory/memory_timeline.h"
#include "runtime/builder/method_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace et::test {
namespace {

using builder::MethodBuilder;
using inspector::ArenaTimeline, inspector::MemoryTimeline, inspector::PlannedTensor, inspector::TensorKind;
using program::Allocation, program::ArenaId, program::ValueId;
using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty;

const builder::TensorSpec small{.sizes = {4}};   // 16 bytes
const builder::TensorSpec large{.sizes = {64}};  // 256 bytes

/// A method and its memory; the builder owns the data that the method borrows.
struct Looked {
    explicit Looked(MethodBuilder& builder) {
        auto built = builder.finish();
        EXPECT_TRUE(built) << built.error().toString();
        method = std::move(*built);
        auto looked = MemoryTimeline::build(method);
        EXPECT_TRUE(looked) << looked.error().toString();
        timeline = std::move(*looked);
    }

    /// Returns the tensor of a value, or of the value that it is a view of.
    [[nodiscard]] const PlannedTensor& tensor(ValueId id) const {
        static const PlannedTensor none;
        const auto found = std::ranges::find_if(timeline.tensors, [&](const PlannedTensor& each) {
            return each.value == id || std::ranges::contains(each.aliases, id);
        });
        EXPECT_NE(found, timeline.tensors.end()) << "value " << id.value;
        return found == timeline.tensors.end() ? none : *found;
    }
    [[nodiscard]] std::pair<inspector::Step, inspector::Step> life(ValueId id) const {
        return {tensor(id).firstStep, tensor(id).lastStep};
    }

    program::Method method;
    MemoryTimeline timeline;
};

std::pair<inspector::Step, inspector::Step> steps(inspector::Step first, inspector::Step last) {
    return {first, last};
}

TEST(MemoryTimeline, ATensorLivesFromItsFirstWriteToItsLastUse) {
    MethodBuilder builder("forward");
    const ValueId in = builder.input(small);
    const ValueId sum = builder.intermediate(large);
    const ValueId product = builder.intermediate(small);
    const ValueId out = builder.intermediate(small);
    builder.call("aten::add.out", {in, in, 1}, {sum});
    builder.call("aten::mul.out", {sum, sum}, {product});
    builder.call("aten::sub.out", {product, in, 1}, {out});
    builder.output(out);
    const Looked looked(builder);

    EXPECT_EQ(looked.life(in), steps(-1, 2));
    EXPECT_EQ(looked.life(sum), steps(0, 1));
    EXPECT_EQ(looked.life(product), steps(1, 2));
    EXPECT_EQ(looked.life(out), steps(2, 3));
    EXPECT_EQ(looked.tensor(in).kind, TensorKind::Input);
    EXPECT_EQ(looked.tensor(sum).kind, TensorKind::Intermediate);
    EXPECT_EQ(looked.tensor(out).kind, TensorKind::Output);
    EXPECT_EQ(looked.tensor(sum).producerName, "aten::add.out");
    EXPECT_EQ(looked.tensor(sum).type, "float32 [64]");
    EXPECT_FALSE(looked.tensor(in).producer);

    ASSERT_EQ(looked.timeline.arenas.size(), 1U);
    const ArenaTimeline& arena = looked.timeline.arenas[0];
    EXPECT_THAT(arena.liveBytes, ElementsAre(16U, 272U, 288U, 48U, 16U));
    EXPECT_EQ(arena.peakStep, 1);
    EXPECT_EQ(arena.peakBytes, 288U);
    std::vector<ValueId> peak;
    for (const std::size_t index : arena.peakTensors) {
        peak.push_back(looked.timeline.tensors[index].value);
    }
    EXPECT_EQ(peak.front(), sum);
    EXPECT_THAT(peak, testing::UnorderedElementsAre(sum, in, product));
    EXPECT_THAT(looked.timeline.overlaps, IsEmpty());
    EXPECT_LE(looked.timeline.peakBytes(), looked.timeline.plannedBytes());
}

TEST(MemoryTimeline, ViewAndItsBaseAreOneTensor) {
    MethodBuilder builder("forward");
    const ValueId in = builder.input(small);
    const ValueId sum = builder.intermediate(small);
    const ValueId view = builder.alias(sum, {.sizes = {2, 2}});
    const ValueId other = builder.intermediate(small);
    const ValueId out = builder.intermediate({.sizes = {2, 2}});
    builder.call("aten::add.out", {in, in, 1}, {sum});
    builder.call("aten::abs.out", {in}, {other});
    builder.call("aten::neg.out", {view}, {out});
    builder.output(out);
    const Looked looked(builder);

    EXPECT_EQ(looked.tensor(view).value, sum);
    EXPECT_THAT(looked.tensor(sum).aliases, ElementsAre(view));
    EXPECT_EQ(looked.life(sum), steps(0, 2));
    EXPECT_THAT(looked.timeline.overlaps, IsEmpty());
}

TEST(MemoryTimeline, AViewOperatorTakesNoMemoryOfItsOwn) {
    MethodBuilder builder("forward");
    const ValueId in = builder.input(small);
    const ValueId sum = builder.intermediate(small);
    const ValueId view = builder.intermediate({.sizes = {2, 2}});
    const ValueId out = builder.intermediate({.sizes = {2, 2}});
    builder.call("aten::add.out", {in, in, 1}, {sum});
    builder.callFunction("executorch_prim::et_view.default", {sum, std::vector<std::int64_t>{2, 2}}, view);
    builder.call("aten::neg.out", {view}, {out});
    builder.output(out);
    const Looked looked(builder);

    EXPECT_EQ(looked.tensor(view).value, sum);
    EXPECT_EQ(looked.life(sum), steps(0, 2));
}

TEST(MemoryTimeline, StateLivesAllTheTime) {
    MethodBuilder builder("forward");
    const ValueId in = builder.input(small);
    const ValueId count = builder.state(small);
    const ValueId sum = builder.intermediate(small);
    builder.call("aten::add.out", {in, count, 1}, {sum});
    builder.callFunction("aten::copy_", {count, sum, false}, count);
    builder.output(sum);
    const Looked looked(builder);

    EXPECT_EQ(looked.tensor(count).kind, TensorKind::State);
    EXPECT_EQ(looked.life(count), steps(-1, 2));
}

TEST(MemoryTimeline, ListsKeepTheirTensorsAlive) {
    MethodBuilder builder("forward");
    const ValueId in = builder.input(small);
    const ValueId left = builder.intermediate(small);
    const ValueId right = builder.intermediate(small);
    const ValueId out = builder.intermediate({.sizes = {8}});
    builder.call("aten::abs.out", {in}, {left});
    builder.call("aten::neg.out", {in}, {right});
    builder.call("aten::cat.out", {std::vector<ValueId>{left, right}, 0}, {out});
    builder.output(out);
    const Looked looked(builder);

    EXPECT_EQ(looked.life(left), steps(0, 2));
    EXPECT_EQ(looked.life(right), steps(1, 2));
}

TEST(MemoryTimeline, LoopInputsLiveUntilTheLastIteration) {
    MethodBuilder builder("forward");
    const ValueId in = builder.input(small);
    const ValueId weight = builder.intermediate(small);
    const ValueId inside = builder.intermediate(small);
    const ValueId rows = builder.intermediate({.sizes = {2, 4}});
    const ValueId done = builder.boolean(false);
    const ValueId index = builder.integer(0);
    builder.call("aten::abs.out", {in}, {weight});                                           // 0
    const core::InstructionId loop = builder.call("aten::mul.out", {in, weight}, {inside});  // 1
    builder.callFunction("executorch_prim::et_copy_index.tensor", {rows, inside}, index);
    builder.callFunction("executorch_prim::eq.Scalar", {index, 2}, done);
    const core::InstructionId jump = builder.jumpFalse(done);  // 4
    builder.setDestination(jump, loop);
    builder.output(rows);
    const Looked looked(builder);

    EXPECT_EQ(looked.life(weight), steps(0, 4)) << "the next turn needs it";
    EXPECT_EQ(looked.life(inside), steps(1, 2)) << "each turn writes it anew";
    EXPECT_EQ(looked.life(rows), steps(1, 5)) << "each turn adds to it";
    EXPECT_THAT(looked.timeline.overlaps, IsEmpty());
}

TEST(MemoryTimeline, MoveToPlannedTensorSharesMemory) {
    MethodBuilder builder("forward");
    const ValueId in = builder.input(small);
    const ValueId one = builder.intermediate(small);
    const ValueId result = builder.intermediate(small);
    builder.call("aten::abs.out", {in}, {one});
    builder.move(one, result);
    builder.output(result);
    const Looked looked(builder);

    EXPECT_EQ(looked.life(one), steps(0, 2));
    EXPECT_EQ(looked.life(result), steps(1, 2));
}

TEST(MemoryTimeline, FindsMovedValuesWhoseMemoryIsReused) {
    MethodBuilder builder("forward");
    const ValueId in = builder.input(small);
    const ValueId one = builder.intermediate(small);
    const ValueId result = builder.intermediate(small);
    const ValueId later = builder.intermediate(small);
    builder.call("aten::abs.out", {in}, {one});
    builder.move(one, result);
    builder.call("aten::neg.out", {in}, {later});
    builder.output(result);
    builder.output(later);
    builder.place(one, Allocation{.arena = ArenaId(1), .offset = 0});
    builder.place(later, Allocation{.arena = ArenaId(1), .offset = 0});
    const Looked looked(builder);

    ASSERT_EQ(looked.timeline.overlaps.size(), 1U);
    EXPECT_EQ(describe(looked.timeline.overlaps[0], looked.timeline),
              "values 1 (moved to 2) and 3 overlap in arena 1 while both are alive at instruction 2");
}

/// Only a run of the other branch overwrites the moved value's memory.
TEST(MemoryTimeline, OtherBranchMayReuseTheMemoryOfAMovedValue) {
    MethodBuilder builder("forward");
    const ValueId in = builder.input(small);
    const ValueId choice = builder.input({.dtype = core::ScalarType::Bool, .sizes = {}});
    const ValueId never = builder.boolean(false);
    const ValueId one = builder.intermediate(small);
    const ValueId two = builder.intermediate(small);
    const ValueId result = builder.intermediate(small);
    builder.call("aten::abs.out", {in}, {one});
    const core::InstructionId toElse = builder.jumpFalse(choice);
    builder.move(one, result);
    const core::InstructionId toEnd = builder.jumpFalse(never);
    builder.setDestination(toElse, builder.nextInstruction());
    builder.call("aten::neg.out", {in}, {two});
    builder.move(two, result);
    builder.setDestination(toEnd, builder.nextInstruction());
    builder.output(result);
    builder.place(one, Allocation{.arena = ArenaId(1), .offset = 0});
    builder.place(two, Allocation{.arena = ArenaId(1), .offset = 0});
    const Looked looked(builder);

    EXPECT_THAT(looked.timeline.overlaps, IsEmpty());
}

TEST(MemoryTimeline, MoveToUnplannedTensorTransfersMemory) {
    MethodBuilder builder("forward");
    const ValueId in = builder.input(small);
    const ValueId one = builder.intermediate(small);
    const ValueId result = builder.intermediate(small);
    builder.call("aten::abs.out", {in}, {one});
    builder.move(one, result);
    builder.output(result, builder::Memory::Caller);
    const Looked looked(builder);

    EXPECT_EQ(looked.life(one), steps(0, 2));
}

/// Adds: if (choice) one = abs(in) else two = neg(in), with both results at the same offset.
void addBranches(MethodBuilder& builder, ValueId in, ValueId one, ValueId two) {
    const ValueId choice = builder.input({.dtype = core::ScalarType::Bool, .sizes = {}});
    const ValueId never = builder.boolean(false);
    const ValueId result = builder.intermediate(small);
    const core::InstructionId toElse = builder.jumpFalse(choice);  // 0
    builder.call("aten::abs.out", {in}, {one});                    // 1
    builder.move(one, result);                                     // 2
    const core::InstructionId toEnd = builder.jumpFalse(never);    // 3
    builder.setDestination(toElse, builder.nextInstruction());
    builder.call("aten::neg.out", {in}, {two});  // 4
    builder.move(two, result);                   // 5
    builder.setDestination(toEnd, builder.nextInstruction());
    builder.output(result, builder::Memory::Caller);
}

TEST(MemoryTimeline, BranchesOfWhichOneRunsMayShareMemory) {
    MethodBuilder builder("forward");
    const ValueId in = builder.input(small);
    const ValueId one = builder.intermediate(small);
    const ValueId two = builder.intermediate(small);
    addBranches(builder, in, one, two);
    builder.place(one, Allocation{.arena = ArenaId(1), .offset = 0});
    builder.place(two, Allocation{.arena = ArenaId(1), .offset = 0});
    const Looked looked(builder);

    EXPECT_EQ(looked.life(one), steps(1, 6));
    EXPECT_EQ(looked.life(two), steps(4, 6));
    EXPECT_THAT(looked.timeline.overlaps, IsEmpty());
}

TEST(MemoryTimeline, WorkspaceLivesDuringItsInstruction) {
    MethodBuilder builder("forward");
    const ValueId in = builder.input(small);
    const ValueId room = builder.intermediate(small);
    const ValueId out = builder.intermediate(small);
    const ValueId last = builder.intermediate(small);
    builder.call("my::conv.out", {in, room}, {out});
    builder.call("aten::neg.out", {out}, {last});
    builder.output(last);
    builder.place(room, Allocation{.arena = ArenaId(1), .offset = 64});
    builder.place(last, Allocation{.arena = ArenaId(1), .offset = 64});
    const Looked looked(builder);

    EXPECT_EQ(looked.tensor(room).kind, TensorKind::Scratch);
    EXPECT_EQ(looked.life(room), steps(0, 0));
    EXPECT_THAT(looked.timeline.overlaps, IsEmpty());
}

TEST(MemoryTimeline, FindsTensorsThatDestroyEachOther) {
    MethodBuilder builder("forward");
    const ValueId in = builder.input(small);
    const ValueId first = builder.intermediate(small);
    const ValueId second = builder.intermediate(small);
    const ValueId out = builder.intermediate(small);
    builder.call("aten::abs.out", {in}, {first});
    builder.call("aten::neg.out", {in}, {second});
    builder.call("aten::add.out", {first, second, 1}, {out});
    builder.output(out);
    builder.place(in, Allocation{.arena = ArenaId(1), .offset = 0});
    builder.place(first, Allocation{.arena = ArenaId(1), .offset = 16});
    builder.place(second, Allocation{.arena = ArenaId(1), .offset = 24});
    builder.place(out, Allocation{.arena = ArenaId(1), .offset = 48});
    builder.setArena(ArenaId(1), 64);
    const Looked looked(builder);

    ASSERT_EQ(looked.timeline.overlaps.size(), 1U);
    EXPECT_EQ(describe(looked.timeline.overlaps[0], looked.timeline),
              "values 1 and 2 overlap in arena 1 while both are alive at instruction 1");
}

TEST(MemoryTimeline, ReusedMemoryIsNotAnOverlap) {
    MethodBuilder builder("forward");
    const ValueId in = builder.input(small);
    const ValueId first = builder.intermediate(small);
    const ValueId second = builder.intermediate(small);
    const ValueId third = builder.intermediate(small);
    builder.call("aten::abs.out", {in}, {first});
    builder.call("aten::neg.out", {first}, {second});
    builder.call("aten::neg.out", {second}, {third});
    builder.output(third);
    builder.place(first, Allocation{.arena = ArenaId(1), .offset = 16});
    builder.place(third, Allocation{.arena = ArenaId(1), .offset = 16});
    const Looked looked(builder);

    EXPECT_EQ(looked.life(first), steps(0, 1));
    EXPECT_EQ(looked.life(third), steps(2, 3));
    EXPECT_THAT(looked.timeline.overlaps, IsEmpty());
}

TEST(MemoryTimeline, CountsUnplannedMemory) {
    MethodBuilder builder("forward");
    const ValueId in = builder.input(small, builder::Memory::Caller);
    const std::array<float, 64> weights{};
    const ValueId weight = builder.constant(large, std::span<const float>(weights));
    const ValueId same = builder.alias(weight, {.sizes = {8, 8}});
    const ValueId unused = builder.intermediate(small);
    const ValueId out = builder.intermediate(large);
    const std::array<std::byte, 12> payload{};
    const program::DelegateId delegate = builder.delegate("DemoBackend", payload);
    builder.callDelegate(delegate, {in, weight, same, out});
    builder.output(out);
    const Looked looked(builder);

    EXPECT_EQ(looked.timeline.callerBytes, 16U);
    EXPECT_EQ(looked.timeline.constantBytes(), 256U);
    ASSERT_EQ(looked.timeline.constants.size(), 2U);
    EXPECT_FALSE(looked.timeline.constants[0].shared);
    EXPECT_TRUE(looked.timeline.constants[1].shared);
    EXPECT_EQ(looked.timeline.payloadBytes(), 12U);
    EXPECT_EQ(looked.timeline.delegates[0].calls, 1U);
    EXPECT_EQ(looked.tensor(unused).kind, TensorKind::Unused);
    EXPECT_EQ(looked.tensor(out).producerName, "DemoBackend");
}

TEST(MemoryTimeline, WeightsThatDelegatesNameCountOnce) {
    MethodBuilder builder("forward");
    const ValueId in = builder.input(small);
    constexpr std::string_view payload("\x06\0\0\0weight\0", 11);  // a string of a flatbuffer
    for (int i = 0; i < 2; ++i) {
        const auto delegate = builder.delegate("DemoBackend", std::as_bytes(std::span(payload)));
        const ValueId out = builder.intermediate(small);
        builder.callDelegate(delegate, {in, out});
        builder.output(out);
    }
    const Looked looked(builder);
    const std::vector<std::byte> data(100);
    program::Program program;
    program.namedData = {program::NamedData{.key = "weight", .segment = {}, .data = data},
                         program::NamedData{.key = "other", .segment = {}, .data = data}};
    const auto timeline = MemoryTimeline::build(program, looked.method).value();
    ASSERT_EQ(timeline.delegates.size(), 2U);
    EXPECT_EQ(timeline.delegates[0].namedBytes, 100U);
    EXPECT_EQ(timeline.delegates[1].namedBytes, 0U);
    EXPECT_EQ(timeline.payloadBytes(), 22U);
    EXPECT_EQ(timeline.delegateBytes(), 122U);
}

TEST(MemoryTimeline, OtherPlansSaveBytes) {
    MethodBuilder builder("forward");
    builder.setPlanStrategy(builder::PlanStrategy::Naive);
    ValueId last = builder.input(large);
    for (int i = 0; i < 5; ++i) {
        const ValueId next = builder.intermediate(large);
        builder.call("aten::abs.out", {last}, {next});
        last = next;
    }
    builder.output(last);
    const Looked looked(builder);

    const auto greedy = planAgain(looked.timeline, builder::PlanStrategy::Greedy, 16);
    const auto naive = planAgain(looked.timeline, builder::PlanStrategy::Naive, 16);
    const auto coarse = planAgain(looked.timeline, builder::PlanStrategy::Naive, 1024);
    ASSERT_TRUE(greedy && naive && coarse);
    EXPECT_EQ(looked.timeline.plannedBytes(), 6U * 256);
    EXPECT_EQ(naive->bytes, 6U * 256);
    EXPECT_EQ(greedy->bytes, 2U * 256);
    EXPECT_EQ(coarse->bytes, 6U * 1024);
    EXPECT_EQ(looked.timeline.peakBytes(), 2U * 256);
    EXPECT_NEAR(looked.timeline.arenas[0].fragmentation(), 2.0 / 3, 1e-9);
}

TEST(MemoryTimeline, AMethodWithoutInstructionsHasItsConstants) {
    MethodBuilder builder("get_vocab");
    const ValueId number = builder.integer(32000);
    builder.output(number);
    const Looked looked(builder);

    EXPECT_EQ(looked.timeline.plannedBytes(), 0U);
    EXPECT_THAT(looked.timeline.tensors, IsEmpty());
}

TEST(MemoryPicture, ShowsEachTensorWithItsNameEscaped) {
    MethodBuilder builder("a<b");
    const ValueId in = builder.input(large);
    const ValueId out = builder.intermediate(large);
    builder.call("my::<script>.out", {in}, {out});
    builder.output(out);
    const Looked looked(builder);
    const inspector::InstructionNodes nodes(nullptr, "a<b");
    const std::array views{inspector::MemoryView{.timeline = looked.timeline, .nodes = nodes}};

    const std::string svg = memoryPicture(views);
    EXPECT_THAT(svg, HasSubstr("a&lt;b, arena 1"));
    EXPECT_THAT(svg, HasSubstr("value 1: output float32 [64]"));
    EXPECT_THAT(svg, HasSubstr("my::&lt;script&gt;.out"));
    EXPECT_THAT(svg, testing::Not(HasSubstr("<script>")));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

}  // namespace
}  // namespace et::test
