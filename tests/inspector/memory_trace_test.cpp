// Tests of a memory plan with a trace: times of its steps, and the memory returned by allocators.
#include "etdump/writer.h"
#include "inspector/memory/measured_memory.h"
#include "inspector/memory/memory_text.h"
#include "inspector/memory/step_times.h"
#include "runtime/builder/method_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace et::test {
namespace {

using builder::MethodBuilder;
using inspector::MemoryTimeline;
using program::ValueId;
using testing::ElementsAre;
using testing::IsEmpty;

/// A program with three consecutive kernels.
class MemoryTraceTest : public testing::Test {
  protected:
    MemoryTraceTest() {
        const builder::TensorSpec spec{.sizes = {64}};
        const ValueId in = builder.input(spec);
        const ValueId first = builder.intermediate(spec);
        const ValueId second = builder.intermediate(spec);
        const ValueId out = builder.intermediate(spec);
        builder.call("aten::abs.out", {in}, {first});
        builder.call("aten::neg.out", {first}, {second});
        builder.call("aten::exp.out", {second}, {out});
        builder.output(out);
        method = builder.finish().value();
        timeline = MemoryTimeline::build(method).value();
    }

    static std::shared_ptr<const inspector::EventBlocks> join(etdump::TraceWriter& writer) {
        const auto trace =
            etdump::Trace::parse(core::MappedFile::fromMemory(writer.finish().value())).value();
        return inspector::EventBlocks::build(trace).value();
    }
    /// Adds a run that starts at `start`: kernels 0 and 2; kernel 1 is not traced.
    static void addRun(etdump::TraceWriter& writer, std::uint64_t start) {
        writer.beginRun("Execute");
        writer.profile("native_call_abs.out", {.instruction = 0, .chain = 0}, start + 10, start + 20);
        writer.profile("OPERATOR_CALL", {.instruction = 0, .chain = 0}, start + 8, start + 22);
        // Times of a delegate's own clock are ignored.
        writer.profile("", {.instruction = 2, .chain = 0, .delegateString = "inner"}, 1, 2);
        writer.profile("native_call_exp.out", {.instruction = 2, .chain = 0}, start + 30, start + 50);
        writer.profile("Method::execute", {.instruction = 0}, start, start + 60);
    }

    MethodBuilder builder{"forward"};
    program::Method method;
    MemoryTimeline timeline;
};

TEST_F(MemoryTraceTest, StepsStartWithTheirInstructions) {
    etdump::TraceWriter writer;
    addRun(writer, 1000);
    const auto blocks = join(writer);
    const auto times = stepTimes(timeline, *blocks, true);
    ASSERT_TRUE(times);
    EXPECT_EQ(times->origin, 1000U);
    EXPECT_EQ(times->end(), 1060U);
    // Before the first event; three instructions, the second with no time; after the last; the end.
    EXPECT_THAT(times->begins, ElementsAre(0, 8, 22, 30, 50, 60));
}

TEST_F(MemoryTraceTest, UsesTheSelectedRun) {
    etdump::TraceWriter writer;
    addRun(writer, 1000);
    addRun(writer, 2000);
    const auto blocks = join(writer);
    const auto origin = [&](std::optional<inspector::TickSpan> within) {
        return stepTimes(timeline, *blocks, true, within)->origin;
    };
    EXPECT_EQ(origin(std::nullopt), 1000U);
    EXPECT_EQ(origin(inspector::TickSpan{.first = 2010, .last = 2020}), 2000U);
    EXPECT_EQ(origin(inspector::TickSpan{.first = 5000, .last = 6000}), 1000U) << "none is there";
}

TEST_F(MemoryTraceTest, ATraceOfAnotherMethodHasNoTimes) {
    etdump::TraceWriter writer;
    addRun(writer, 1000);
    EXPECT_FALSE(stepTimes(timeline, *join(writer), false)) << "nothing says which method ran";
    etdump::TraceWriter loading;
    loading.beginRun("Default");
    loading.profile("Method::init", {.instruction = 0}, 1, 5);
    EXPECT_FALSE(stepTimes(timeline, *join(loading), true)) << "it did not run";
}

TEST_F(MemoryTraceTest, AllocatorsReportAllocatedBytes) {
    etdump::TraceWriter writer;
    for (int run = 0; run < 2; ++run) {
        addRun(writer, 1000 + 1000 * static_cast<std::uint64_t>(run));
        const std::uint32_t scratch = writer.addAllocator("scratch");
        writer.allocation(scratch, 100);
        writer.allocation(scratch, 28);
        writer.allocation(9, 1000);
    }
    const auto uses = collectAllocations(*join(writer), method, true);
    ASSERT_EQ(uses.size(), 2U);
    EXPECT_EQ(uses[0].name, "allocator 9");
    EXPECT_EQ(uses[0].bytes, 2000U);
    EXPECT_EQ(uses[1].name, "scratch");
    EXPECT_EQ(uses[1].allocations, 4U);
    EXPECT_EQ(uses[1].bytes, 256U);
    EXPECT_EQ(uses[1].runs, 2U);
    etdump::TraceWriter without;
    addRun(without, 1000);
    EXPECT_THAT(collectAllocations(*join(without), method, true), IsEmpty());
}

TEST_F(MemoryTraceTest, RuntimeMemoryIsTheSumOfAllRuns) {
    const auto take = [](etdump::TraceWriter& writer, executor::Allocator from, std::uint64_t bytes) {
        writer.allocation(writer.addAllocator(executor::allocatorName(from)), bytes);
    };
    using enum executor::MemoryKind;
    etdump::TraceWriter writer;
    writer.beginRun("Default");
    take(writer, {.kind = DelegateWorkspace, .method = "forward", .number = 1}, 300);
    take(writer, {.kind = DelegatePackedWeights, .method = "forward", .number = 1}, 70);
    take(writer, {.kind = DelegatePackedWeights, .method = "other", .number = 1}, 9);
    take(writer, {.kind = ProcessPeak}, 5000);
    addRun(writer, 1000);
    take(writer, {.kind = DelegateWorkspace, .method = "forward", .number = 1}, 24);
    take(writer, {.kind = ProcessPeak}, 4000);
    writer.allocation(writer.addAllocator("scratch"), 5);
    const auto blocks = join(writer);
    const auto measured = inspector::measuredMemory(blocks->trace(), method);
    ASSERT_EQ(measured.size(), 3U);
    EXPECT_EQ(describe(measured[0]), "packed weights of delegate 1");
    EXPECT_EQ(measured[0].bytes, 70U);
    EXPECT_EQ(bytesOf(measured, DelegateWorkspace, 1), 324U);
    EXPECT_EQ(bytesOf(measured, DelegateWorkspace, 0), std::nullopt);
    EXPECT_EQ(bytesOf(measured, ProcessPeak), 5000U) << "a peak is not summed up";
    const auto others = collectAllocations(*blocks, method, true);
    ASSERT_EQ(others.size(), 1U) << "what is known by its name is not said twice";
    EXPECT_EQ(others[0].name, "scratch");
}

TEST_F(MemoryTraceTest, ATensorIsDescribedInLines) {
    const inspector::InstructionNodes nodes(nullptr, "forward");
    const auto& tensor = timeline.tensors.back();
    const std::string offset = std::to_string(tensor.offset);
    EXPECT_EQ(describe(tensor, {.timeline = timeline, .nodes = nodes}),
              "value 3: output float32 [64]\n256 bytes at offset " + offset +
                  "\nalive from instruction 2 to the end\nwritten by exp (aten::exp.out)");
    EXPECT_EQ(lifeText(tensor, timeline), "2-end");
}

}  // namespace
}  // namespace et::test
