// Tests that few sizes are enough to find for which of them a device is wrong.
#include "app/tasks/probe/size_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <set>

namespace et::tasks {
namespace {

/// Sizes of a device that computes wrong results for some.
struct Device {
    std::function<bool(std::int64_t)> isWrong;
    std::set<std::int64_t> unavailable{};
};

/// A finished search.
struct FoundSizes {
    SizeRule rule;
    std::size_t tests = 0;
};

FoundSizes search(const Device& device, std::int64_t typical, std::size_t perEdge = 1) {
    SizeTrials trials{.typical = typical, .least = 1, .most = 256, .wrong = {}, .unavailable = {}};
    trials.unavailable = device.unavailable;
    trials.wrong[typical] = device.isWrong(typical);
    for (const std::int64_t size : scanSizes(trials)) {
        trials.wrong[size] = device.isWrong(size);
    }
    SizeSearchStep step = searchSizes(trials, perEdge);
    while (!step.next.empty()) {
        for (const std::int64_t size : step.next) {
            EXPECT_FALSE(trials.wrong.contains(size) || trials.unavailable.contains(size)) << size;
            trials.wrong[size] = device.isWrong(size);
        }
        step = searchSizes(trials, perEdge);
    }
    return {.rule = step.rule, .tests = trials.wrong.size()};
}

Device bandOf(std::int64_t first, std::int64_t last) {
    return {.isWrong = [=](std::int64_t size) { return size >= first && size <= last; }};
}
Device indivisibleBy(std::int64_t divisor) {
    return {.isWrong = [=](std::int64_t size) { return size % divisor != 0; }};
}

TEST(SizeSearch, FindsABandExactlyWhereverTheModelsSizeIs) {
    for (const std::int64_t typical : {2, 3, 16, 64, 100, 168, 176, 192, 193, 224}) {
        for (const std::size_t perEdge : {1U, 3U}) {
            const FoundSizes found = search(bandOf(168, 192), typical, perEdge);
            ASSERT_EQ(found.rule.kind, SizeRule::Kind::Bands) << typical;
            EXPECT_THAT(found.rule.bands,
                        testing::ElementsAre(
                            SizeBand{.first = 168, .last = 192, .rightBefore = 167, .rightAfter = 193}))
                << typical;
            EXPECT_EQ(found.rule.divisor, 1);
            EXPECT_TRUE(found.rule.isExact);
            EXPECT_LE(found.tests, 45U);
        }
    }
}

TEST(SizeSearch, FindsEveryBandThatIsAsWideAsTheGrid) {
    for (std::int64_t first = 2; first + 12 < 250; ++first) {
        const FoundSizes found = search(bandOf(first, first + 12), 64);
        ASSERT_EQ(found.rule.kind, SizeRule::Kind::Bands) << first;
        EXPECT_EQ(found.rule.bands.front().first, first);
        EXPECT_EQ(found.rule.bands.front().last, first + 12);
    }
}

TEST(SizeSearch, FindsDivisors) {
    for (const std::int64_t divisor : {2, 4, 8, 16, 32}) {
        for (const std::int64_t typical : {1, 3, 8, 12, 64, 96, 150}) {
            const FoundSizes found = search(indivisibleBy(divisor), typical);
            EXPECT_EQ(found.rule.kind, SizeRule::Kind::Indivisible) << divisor << " " << typical;
            EXPECT_EQ(found.rule.divisor, divisor) << typical;
            EXPECT_TRUE(found.rule.isExact);
            EXPECT_LE(found.tests, 40U);
        }
    }
}

TEST(SizeSearch, FindsABandOfDivisibleSizes) {
    const FoundSizes found = search(
        {.isWrong = [](std::int64_t size) { return size % 4 != 0 || (size >= 100 && size <= 160); }}, 64);
    ASSERT_EQ(found.rule.kind, SizeRule::Kind::Bands);
    EXPECT_EQ(found.rule.divisor, 4);
    EXPECT_THAT(found.rule.bands, testing::ElementsAre(SizeBand{
                                      .first = 100, .last = 160, .rightBefore = 96, .rightAfter = 164}));
}

TEST(SizeSearch, ReportsAnOpenBand) {
    const FoundSizes found = search({.isWrong = [](std::int64_t size) { return size > 130; }}, 64);
    EXPECT_THAT(found.rule.bands, testing::ElementsAre(SizeBand{
                                      .first = 131, .last = 256, .rightBefore = 130, .rightAfter = 0}));
}

TEST(SizeSearch, EndsAtSizesThatTheOperatorDoesNotSupport) {
    Device device = bandOf(168, 192);
    for (std::int64_t size = 1; size < 512; ++size) {
        if (size % 8 != 0) {
            device.unavailable.insert(size);
        }
    }
    const FoundSizes found = search(device, 64);
    EXPECT_THAT(found.rule.bands, testing::ElementsAre(SizeBand{
                                      .first = 168, .last = 192, .rightBefore = 160, .rightAfter = 200}));
    EXPECT_TRUE(found.rule.isExact);
}

TEST(SizeSearch, AllRightAndAllWrongNeedNoMoreSizes) {
    EXPECT_EQ(search({.isWrong = [](std::int64_t) { return false; }}, 64).rule.kind, SizeRule::Kind::Right);
    EXPECT_EQ(search({.isWrong = [](std::int64_t) { return true; }}, 64).rule.kind, SizeRule::Kind::Wrong);
}

}  // namespace
}  // namespace et::tasks
