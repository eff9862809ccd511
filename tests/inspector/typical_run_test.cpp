// Tests of the typical run: median durations in position, and names of its steps.
#include "inspector/events/typical_run.h"

#include "etdump/writer.h"
#include "inspector/events/readable_name.h"
#include "inspector/names/plain_operator.h"
#include "runtime/core/operator_counter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace et::inspector {

namespace {

using events::EventRows;
using events::TypicalRun;
using events::TypicalStep;

/// Runs of two steps, the first with the given durations, followed directly by the second of 30 ticks.
std::shared_ptr<const EventBlocks> runsOf(std::initializer_list<std::uint64_t> firsts) {
    etdump::TraceWriter writer;
    writer.beginRun("Default");
    writer.profile("Program::load_method", {.instruction = 0}, 10, 20);
    std::uint64_t start = 1000;
    for (const std::uint64_t first : firsts) {
        writer.beginRun("Execute");
        writer.profile("native_call_add.out", {.instruction = 0, .chain = 0}, start + 5, start + 5 + first);
        writer.profile("native_call_mul.out", {.instruction = 1, .chain = 0}, start + 5 + first,
                       start + 35 + first);
        writer.profile("Method::execute", {.instruction = 0}, start, start + 40 + first);
        start += 1000;
    }
    const auto trace = etdump::Trace::parse(core::MappedFile::fromMemory(writer.finish().value())).value();
    return EventBlocks::build(trace).value();
}

const TypicalStep& stepOf(const TypicalRun& run, const EventRows& rows, std::string_view name) {
    return *std::ranges::find_if(
        run.steps, [&](const TypicalStep& step) { return rows.rows[step.row].event->name == name; });
}

TEST(TypicalRun, HasTheMedianOfEachStep) {
    const auto blocks = runsOf({10, 20, 500});
    const EventRows rows = events::eventRows(*blocks);
    EXPECT_EQ(events::busiestBlock(rows), 1U);
    const TypicalRun run = events::typicalRun(*blocks, rows, 1);
    EXPECT_EQ(run.runs, 3U);
    EXPECT_DOUBLE_EQ(run.length, 60) << "one stalled run does not count";
    const TypicalStep& add = stepOf(run, rows, "native_call_add.out");
    const TypicalStep& mul = stepOf(run, rows, "native_call_mul.out");
    EXPECT_NEAR(add.length, 20, 1e-6);
    EXPECT_NEAR(add.start, 5, 1e-6);
    EXPECT_NEAR(add.p10, 12, 1e-6);
    EXPECT_NEAR(add.p90, 404, 1e-6);
    EXPECT_NEAR(mul.start, 25, 1e-6) << "behind the typical first step";
    EXPECT_NEAR(mul.length, 30, 1e-6);
}

TEST(TypicalRun, StepsNeverOverlapAndStayWithinTheRun) {
    // The first step is long in half of the runs and short in the others; the second starts where it ends.
    const auto blocks = runsOf({10, 12, 200, 210, 220, 11, 13, 230, 205});
    const EventRows rows = events::eventRows(*blocks);
    const TypicalRun run = events::typicalRun(*blocks, rows, 1);
    const TypicalStep& whole = stepOf(run, rows, "Method::execute");
    const TypicalStep& add = stepOf(run, rows, "native_call_add.out");
    const TypicalStep& mul = stepOf(run, rows, "native_call_mul.out");
    EXPECT_GE(add.start, whole.start);
    EXPECT_GE(mul.start, add.start + add.length - 1e-9);
    EXPECT_LE(mul.start + mul.length, whole.start + whole.length + 1e-9);
    EXPECT_EQ(run.steps.front().row, whole.row) << "what contains the others comes first";
}

TEST(TypicalRun, EmptyWithoutRuns) {
    etdump::TraceWriter writer;
    writer.beginRun("Default");
    const auto trace = etdump::Trace::parse(core::MappedFile::fromMemory(writer.finish().value())).value();
    const auto blocks = EventBlocks::build(trace).value();
    EXPECT_EQ(events::busiestBlock(events::eventRows(*blocks)), std::nullopt);
}

TEST(PlainOperator, OmitsNamespaceAndOverload) {
    struct Case {
        std::string_view name;
        std::size_t rank;
        std::string_view plain;
    };
    constexpr std::array cases{
        Case{"convolution", 4, "conv2d"},
        Case{"convolution", 3, "conv1d"},
        Case{"convolution", 0, "conv"},
        Case{"addmm", 2, "linear"},
        Case{"permute_copy", 4, "permute"},
        Case{"_softmax", 0, "softmax"},
        Case{"native_layer_norm", 3, "layer_norm"},
        Case{"_native_batch_norm_legit_no_training", 4, "batch_norm"},
        Case{"hardtanh", 4, "hardtanh"},
        Case{"_copy", 0, "copy"},
        Case{"__", 0, "__"},
        Case{"", 0, ""},
    };
    for (const Case& each : cases) {
        EXPECT_EQ(plainOperator(each.name, each.rank), each.plain) << each.name;
    }
}

TEST(JoinedOperators, NamesEachOnceAndQuantizersOnlyWhenAlone) {
    const auto joined = [](std::initializer_list<std::string_view> names) {
        JoinedOperators operators;
        for (const std::string_view name : names) {
            operators.add(name, 4);
        }
        return operators.text();
    };
    EXPECT_EQ(joined({}), "");
    EXPECT_EQ(joined({"convolution", "hardtanh", "convolution"}), "conv2d + hardtanh");
    EXPECT_EQ(joined({"quantize_per_tensor", "add", "dequantize_per_tensor"}), "add");
    EXPECT_EQ(joined({"quantize_per_tensor", "dequantize_per_tensor"}), plainOperator("quantize_per_tensor"));
    EXPECT_EQ(joined({"add", "mul", "sub"}), "add + mul + sub");
    EXPECT_EQ(joined({"add", "mul", "sub", "div"}), "") << "too much for one name";
}

TEST(ReadableName, ExplainsRuntimeEvents) {
    const auto blocks = runsOf({10, 20});
    const Block& load = blocks->blocks()[0];
    const Block& run = blocks->blocks()[1];
    EXPECT_EQ(events::readableBlock(load), "Load");
    EXPECT_EQ(events::readableBlock(run), "Inference");
    EXPECT_EQ(events::readableName(run, run.events[0]), "add");
    EXPECT_EQ(events::readableName(run, run.events[2]), "Inference");
    EXPECT_EQ(events::readableName(load, load.events[0]), "Load");
    EXPECT_EQ(core::withoutCounter("Add (ND) #12"), "Add (ND)");
    EXPECT_EQ(core::withoutCounter("Add #x"), "Add #x");
    EXPECT_EQ(core::withoutCounter("Add #"), "Add #");
}

}  // namespace

}  // namespace et::inspector
