#include "inspector/join/event_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace et::inspector {
namespace {

TEST(Statistics, OneSampleIsEverything) {
    const std::vector<double> samples{0.25};
    const Statistics all = summarize(samples);
    for (const double value : {all.p10, all.p50, all.p90, all.average, all.minimum, all.maximum}) {
        EXPECT_EQ(value, 0.25);
    }
}

TEST(Statistics, PercentilesInterpolateBetweenRanks) {
    const std::vector<double> samples{4, 1, 3, 2};
    const Statistics all = summarize(samples);
    EXPECT_DOUBLE_EQ(all.p10, 1.3);
    EXPECT_DOUBLE_EQ(all.p50, 2.5);
    EXPECT_DOUBLE_EQ(all.p90, 3.7);
    EXPECT_EQ(all.minimum, 1);
    EXPECT_EQ(all.maximum, 4);
    EXPECT_EQ(all.average, 2.5);
}

// Interpolating from the lower end, 1e16 + (-1e16 + 3) * 0.7 would lose the 3; numpy starts from the nearer
// end.
TEST(Statistics, PercentilesRoundFromTheNearerEnd) {
    const std::vector<double> samples{-1e16, 3, 3, 3};
    EXPECT_EQ(summarize(samples).p90, 3);
    const std::vector<double> two{-1e16, 3};
    EXPECT_EQ(summarize(two).p90, 3 - (3 + 1e16) * (1 - 0.9));
    EXPECT_EQ(summarize(two).p10, -1e16 + (3 + 1e16) * 0.1);
}

// In double, 1e16 + 1 is 1e16, so the sum depends on the order of additions.
TEST(Statistics, FewSamplesAreAddedInOrder) {
    const std::vector<double> samples{1e16, 1, -1e16, 1, 0, 0, 0};
    EXPECT_EQ(summarize(samples).average, 1.0 / 7);
}

TEST(Statistics, EightSamplesAreAddedInPairs) {
    const std::vector<double> samples{1e16, 1, -1e16, 1, 0, 0, 0, 0};
    EXPECT_EQ(summarize(samples).average, 0.0);
}

TEST(Statistics, AddsRemainderAfterEightLanes) {
    std::vector<double> samples(17, 0.0);
    samples[0] = 1e16;
    samples[8] = -1e16;
    samples[16] = 1;
    EXPECT_EQ(summarize(samples).average, 1.0 / 17);
}

TEST(Statistics, LongListsAreHalvedAtAMultipleOfEight) {
    std::vector<double> samples(200, 0.0);
    samples[0] = 1e16;  // the left half ends at 96, so the two ones are added first
    samples[96] = 1;
    samples[104] = 1;
    EXPECT_EQ(summarize(samples).average, (1e16 + 2) / 200);
}

// Clocks of delegates have microsecond resolution: a median of 0 does not mean no time.
TEST(Statistics, DurationsBelowClockResolutionAreNotZero) {
    std::vector<double> samples(20, 0.0);
    std::ranges::fill_n(samples.begin(), 6, 1000.0);
    samples.back() = 8e6;
    Event event;
    event.samples = samples;
    event.statistics = summarize(samples);
    EXPECT_EQ(event.statistics.p50, 0);
    EXPECT_EQ(event.typical(), 7 * event.statistics.p90) << "the stall counts as one of the slow ones";
    EXPECT_EQ(outlierCount(samples), 1U);
    std::vector<double> rare(20, 0.0);
    rare[3] = 1000;
    rare.back() = 8e6;
    event.samples = rare;
    event.statistics = summarize(rare);
    EXPECT_EQ(event.typical(), 2000);
    // A stall alone is not a clock tick if other events show the resolution.
    std::vector<double> stalled(20, 0.0);
    stalled[3] = 8e6;
    event.samples = stalled;
    event.statistics = summarize(stalled);
    EXPECT_EQ(event.typical(1000), 1000);
}

}  // namespace
}  // namespace et::inspector
