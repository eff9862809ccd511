// Tests of a generation's time by position.
#include "inspector/events/position_times.h"

#include "etdump/writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace et::test {
namespace {

using inspector::events::PositionTimes;

constexpr std::uint64_t stepLength = 1000;

/// Prefill of two tokens, then `decoded` steps; attention takes 100 ns longer each time. Each execution takes
/// 800 ns, of which the method takes 700.
std::shared_ptr<const inspector::EventBlocks> generation(std::size_t decoded, bool marked = true) {
    etdump::TraceWriter writer;
    std::uint64_t start = 10'000;
    for (std::size_t call = 0; call <= decoded; ++call, start += stepLength) {
        writer.beginRun("Execute");
        writer.profile("native_call_embedding.out", {.instruction = 0, .chain = 0}, start + 60, start + 90);
        writer.profile("DELEGATE_CALL", {.instruction = 1, .chain = 0}, start + 100, start + 300);
        writer.profile("Fully Connected (NC, F32) GEMM #1",
                       {.instruction = 1, .chain = 0, .delegateString = "Fully Connected (NC, F32) GEMM #1"},
                       start + 110, start + 260);
        writer.profile("native_call_softmax.out", {.instruction = 2, .chain = 0}, start + 310,
                       start + 320 + (100 * call));
        writer.profile("Method::execute", {.instruction = 0}, start + 50, start + 750);
    }
    if (marked) {
        writer.beginRun("Generate");
        start = 10'000;
        writer.profile("prefill 0: position 0, 2 tokens", {}, start, start + 800);
        for (std::size_t call = 0; call < decoded; ++call) {
            start += stepLength;
            const std::string number = std::to_string(call);
            const std::string position = std::to_string(call + 2);
            writer.profile("decode " + number + ": position " + position + ", 1 token", {}, start,
                           start + 800);
            writer.profile("sample " + number + ": position " + position, {}, start + 800, start + 810);
        }
    }
    const auto trace = etdump::Trace::parse(core::MappedFile::fromMemory(writer.finish().value())).value();
    return inspector::EventBlocks::build(trace).value();
}

std::size_t rowOf(const PositionTimes& times, std::string_view name) {
    const auto found = std::ranges::find(times.rows, name, &PositionTimes::Row::name);
    EXPECT_NE(found, times.rows.end()) << name;
    return static_cast<std::size_t>(found - times.rows.begin());
}

TEST(PositionTimesTest, ExecutionsHaveTheirPositions) {
    const auto blocks = generation(3);
    const auto calls = inspector::events::generationCalls(*blocks);
    ASSERT_EQ(calls.size(), 4U) << "sampling is none";
    EXPECT_TRUE(calls[0].isPrefill);
    EXPECT_TRUE(calls[0].covers(1));
    EXPECT_FALSE(calls[0].covers(2));
    EXPECT_FALSE(calls[3].isPrefill);
    EXPECT_EQ(calls[3].position, 4U);
    EXPECT_EQ(calls[3].last - calls[3].first, 800U);
}

TEST(PositionTimesTest, ColumnsAddUpToTheExecution) {
    const PositionTimes times = inspector::events::positionTimes(*generation(3), 0);
    EXPECT_FALSE(times.byModule) << "no record";
    for (std::size_t call = 0; call < times.calls.size(); ++call) {
        double sum = 0;
        for (std::size_t row = 0; row < times.rows.size(); ++row) {
            sum += times.time(row, call);
        }
        EXPECT_NEAR(sum, 700e-6, 1e-9) << call << ", in ms";
    }
    EXPECT_EQ(times.rows.back().name, "(runtime)") << "what is nobody's comes last";
}

TEST(PositionTimesTest, ShowsGrowingOperators) {
    const PositionTimes times = inspector::events::positionTimes(*generation(3), 0);
    const std::size_t softmax = rowOf(times, "softmax");
    for (std::size_t call = 0; call < times.calls.size(); ++call) {
        EXPECT_NEAR(times.time(softmax, call), (10 + 100 * static_cast<double>(call)) * 1e-6, 1e-9);
    }
    const std::size_t product = rowOf(times, "Fully Connected (NC, F32) GEMM");
    EXPECT_NEAR(times.time(product, 2), 150e-6, 1e-9) << "inside of the delegate";
    ASSERT_EQ(times.rows[product].events.size(), 1U);
}

TEST(PositionTimesTest, OfAnyOtherTraceThereIsNothing) {
    const PositionTimes times = inspector::events::positionTimes(*generation(3, false), 0);
    EXPECT_TRUE(times.calls.empty());
    EXPECT_TRUE(times.rows.empty());
}

TEST(PositionTimesTest, ModulesAreCutBelowTheirLayer) {
    using inspector::events::moduleBelowLayer;
    EXPECT_EQ(moduleBelowLayer("m.layers.0.attention.wq", 0), "m.layers.0");
    EXPECT_EQ(moduleBelowLayer("layers.12.attention.wq", 1), "layers.12.attention");
    EXPECT_EQ(moduleBelowLayer("layers.0.attention.wq", 5), "layers.0.attention.wq");
    EXPECT_EQ(moduleBelowLayer("layers.0.attention.wq", std::nullopt), "layers.0.attention.wq");
    EXPECT_EQ(moduleBelowLayer("m.tok_embeddings", 0), "m.tok_embeddings");
    EXPECT_EQ(moduleBelowLayer("", 0), "");
}

}  // namespace
}  // namespace et::test
