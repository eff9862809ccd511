// Tests of the statistics of a timeline range: times are not counted twice per name.
#include "visualizers/timeline/timeline_statistics.h"

#include "etdump/writer.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace et::visualizers {

namespace {

/// Two runs of 100 ticks: "outer" contains "inner" of 40, and Method::execute contains both.
std::shared_ptr<const Timeline> twoRuns() {
    etdump::TraceWriter writer;
    for (std::uint64_t run = 0; run < 2; ++run) {
        writer.beginRun("Execute");
        const std::uint64_t start = 1000 + run * 1000;
        writer.profile("inner", {.instruction = 0, .chain = 0}, start + 20, start + 60);
        writer.profile("outer", {.instruction = 0, .chain = 0}, start + 10, start + 90);
        writer.profile("Method::execute", {.instruction = 0}, start, start + 100);
    }
    const auto trace = etdump::Trace::parse(core::MappedFile::fromMemory(writer.finish().value())).value();
    return Timeline::build(inspector::EventBlocks::build(trace).value());
}

std::uint64_t ticksOf(const StretchStatistics& held, std::string_view name) {
    const auto found = std::ranges::find(held.names, name, &NamedTime::name);
    return found == held.names.end() ? 0 : found->ticks;
}

TEST(TimelineStatistics, OfTheWholeTimeline) {
    const auto timeline = twoRuns();
    const StretchStatistics held = computeStatistics(*timeline, 0, timeline->length);
    EXPECT_EQ(held.runs, 2U);
    ASSERT_EQ(held.lanes.size(), 3U);
    EXPECT_EQ(held.lanes[0].busy, 200U);
    EXPECT_EQ(ticksOf(held, "inner"), 80U);
    EXPECT_EQ(ticksOf(held, "outer"), 80U) << "without what is inside";
    EXPECT_EQ(ticksOf(held, "Inference"), 40U);
    ASSERT_EQ(held.modules.size(), 1U);
    EXPECT_EQ(held.modules[0].name, "") << "no record names any";
    EXPECT_EQ(held.modules[0].ticks, 200U) << "no time is lost, and none counts twice";
    EXPECT_TRUE(std::ranges::is_sorted(held.names, std::ranges::greater{}, &NamedTime::ticks));
}

TEST(TimelineStatistics, ClipsSpansAtTheEdges) {
    const auto timeline = twoRuns();
    const StretchStatistics held = computeStatistics(*timeline, 30, 95);
    EXPECT_EQ(held.runs, 0U) << "none begins there";
    EXPECT_EQ(ticksOf(held, "inner"), 30U);
    EXPECT_EQ(ticksOf(held, "outer"), 30U);
    EXPECT_EQ(ticksOf(held, "Inference"), 5U);
    EXPECT_TRUE(computeStatistics(*timeline, 500, 600).names.empty());
}

}  // namespace

}  // namespace et::visualizers
