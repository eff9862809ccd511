// Tests the effect of one stalled run on rankings.

#include "inspector/events/event_rows.h"
#include "tests/inspector/report_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace et::inspector::events {
namespace {

using test::columnTexts;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::size_t stalledRuns = 20;
constexpr std::uint64_t shortTime = 15'000;
constexpr std::uint64_t longTime = 100'000;
constexpr std::uint64_t stall = 8'000'000;

JoinOptions microseconds(bool leaveOut = false) {
    JoinOptions options;
    options.target = TimeScale::Microseconds;
    options.leaveOutOutliers = leaveOut;
    return options;
}

/// Runs of a softmax of 15 us, which stalls for 8 ms in the seventh run, and a convolution of 100 us.
test::Blocks stalled(const JoinOptions& options) {
    etdump::TraceWriter writer;
    std::uint64_t now = 0;
    for (std::size_t run = 0; run < stalledRuns; ++run) {
        const std::uint64_t begin = now;
        writer.beginRun("Execute");
        const std::uint64_t softmax = run == 6 ? stall : shortTime;
        writer.profile("native_call_softmax.out", test::at(0), now, now + softmax);
        now += softmax;
        writer.profile("native_call_convolution.out", test::at(1), now, now + longTime);
        now += longTime;
        writer.profile("Method::execute", {.instruction = 0, .chain = -1}, begin, now);
    }
    return test::join(test::traceOf(writer), nullptr, options);
}

EventTableOptions grouped() {
    EventTableOptions options;
    options.groupBy = GroupBy::Op;
    return options;
}

EventTableOptions columns(std::vector<std::string> ids) {
    EventTableOptions options;
    options.columns = std::move(ids);
    return options;
}

TEST(Ranking, IgnoresSingleStalls) {
    const auto blocks = stalled(microseconds());
    EXPECT_THAT(columnTexts(blocks, grouped(), "op"),
                ElementsAre("convolution.out", "softmax.out", "(unattributed)"));
    EXPECT_THAT(columnTexts(blocks, grouped(), "p50"), ElementsAre("100.0", "15.0", "0.0"));
    EXPECT_THAT(columnTexts(blocks, grouped(), "p90"), ElementsAre("100.0", "15.0", "0.0"));
    EXPECT_THAT(columnTexts(blocks, grouped(), "outliers"), ElementsAre("0", "1", "0"));
}

TEST(Ranking, SharesAreOfMedians) {
    const EventRows rows = eventRows(*stalled(microseconds()));
    ASSERT_EQ(rows.rows.size(), 3U);
    EXPECT_DOUBLE_EQ(*rows.share(rows.rows[0]), 15.0 / 115);
    EXPECT_DOUBLE_EQ(*rows.selfShare(rows.rows[1]), 100.0 / 115);
    EXPECT_DOUBLE_EQ(*rows.share(rows.rows[2]), 1);
    EXPECT_DOUBLE_EQ(*rows.selfShare(rows.rows[2]), 0);
}

TEST(Ranking, MarksOutliers) {
    EXPECT_THAT(columnTexts(stalled(microseconds()), columns({"outliers"}), "outliers"),
                ElementsAre("1", "0", "1"));
}

TEST(Ranking, PreemptedRunsCanBeLeftOut) {
    const auto blocks = stalled(microseconds(true));
    ASSERT_EQ(blocks->blocks().size(), 1U);
    EXPECT_EQ(blocks->blocks()[0].runs.size(), stalledRuns - 1);
    EXPECT_THAT(blocks->warnings(),
                ElementsAre("block \"Execute\": 1 of 20 runs took far longer than the others and are "
                            "excluded: 6"));
    EXPECT_THAT(columnTexts(blocks, columns({"max"}), "max"), ElementsAre("15.0", "100.0", "115.0"));
    EXPECT_THAT(stalled(microseconds())->warnings(), IsEmpty());
}

TEST(Ranking, AFewSamplesHaveNoOutliers) {
    const std::array few{1.0, 1.0, 1.0, 50.0};
    EXPECT_EQ(outlierCount(few), 0U);
    const std::array enough{1.0, 1.0, 1.0, 1.0, 50.0};
    EXPECT_EQ(outlierCount(enough), 1U);
    const std::array steady{10.0, 10.0, 10.0, 10.0, 14.9};  // no spread, but no outlier either
    EXPECT_EQ(outlierCount(steady), 0U);
}

}  // namespace
}  // namespace et::inspector::events
