// Tests the effect of one stalled run on rankings.

#include "inspector/events/event_rows.h"
#include "tests/inspector/report_support.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
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

TEST(Ranking, SharesReplaceOutliersByMedians) {
    const EventRows rows = eventRows(*stalled(microseconds()));
    ASSERT_EQ(rows.rows.size(), 3U);
    EXPECT_DOUBLE_EQ(*rows.share(rows.rows[0]), 15.0 / 115);
    EXPECT_DOUBLE_EQ(*rows.selfShare(rows.rows[1]), 100.0 / 115);
    EXPECT_DOUBLE_EQ(*rows.share(rows.rows[2]), 1);
    EXPECT_DOUBLE_EQ(*rows.selfShare(rows.rows[2]), 0);
}

/// 63 runs of eight operators. Each takes 10 or, in two of five runs, 60 us, mostly in other runs than the
/// others: the sum of the medians is far below the median of a run. 1 us between operators.
test::Blocks alternating() {
    etdump::TraceWriter writer;
    std::uint64_t now = 0;
    for (std::size_t run = 0; run < 63; ++run) {
        const std::uint64_t begin = now;
        writer.beginRun("Execute");
        for (std::size_t op = 0; op < 8; ++op) {
            const std::uint64_t time = (run * 3 + op * 7) % 5 < 2 ? 60'000 : 10'000 + op * 100;
            writer.profile("native_call_op" + std::to_string(op) + ".out",
                           test::at(static_cast<std::int32_t>(op)), now, now + time);
            now += time;
        }
        now += 1'000;
        writer.profile("Method::execute", {.instruction = 0, .chain = -1}, begin, now);
    }
    return test::join(test::traceOf(writer), nullptr, microseconds());
}

TEST(Ranking, SharesEqualThoseOfTheRawSamples) {
    const auto blocks = alternating();
    const EventRows rows = eventRows(*blocks);
    double whole = 0;
    for (const EventRow& row : rows.rows) {
        whole += row.parent ? 0 : row.total;
    }
    double shares = 0;
    for (const EventRow& row : rows.rows) {
        EXPECT_NEAR(*rows.share(row), row.total / whole, 1e-12) << row.event->name;
        EXPECT_NEAR(*rows.selfShare(row), row.self / whole, 1e-12) << row.event->name;
        shares += *rows.selfShare(row);
    }
    EXPECT_NEAR(shares, 1, 1e-12);
    const double dispatched = 63 * 1.0;
    EXPECT_NEAR(rows.rows.back().typicalSelf, dispatched, 1e-6);
    EXPECT_EQ(columnTexts(blocks, grouped(), "p50").back(), "1.0");
}

TEST(Ranking, MedianOfAGroupIsThatOfItsRuns) {
    EventTableOptions options;
    options.groupBy = GroupBy::Block;
    const auto blocks = alternating();
    const auto& whole = blocks->blocks()[0].events.back();
    ASSERT_EQ(whole.name, "Method::execute");
    EXPECT_THAT(columnTexts(blocks, options, "p50"), ElementsAre(fmt::format("{}", whole.statistics.p50)));
    EXPECT_THAT(columnTexts(blocks, options, "share"), ElementsAre("100.0"));
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
