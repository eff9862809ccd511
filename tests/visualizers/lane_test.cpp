// Tests of the pyramid over the spans of a lane: correct content at a cost proportional to the screen.
#include "visualizers/timeline/lane.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace et::visualizers {

namespace {

std::vector<Span> everyTenTicks(std::size_t count, std::uint64_t length) {
    std::vector<Span> spans;
    for (std::size_t i = 0; i < count; ++i) {
        spans.push_back({i * 10, i * 10 + length, static_cast<etdump::EventIndex>(i)});
    }
    return spans;
}

std::vector<Lane::Piece> pieces(const Lane& lane, std::uint64_t from, std::uint64_t to,
                                std::uint64_t shortest) {
    std::vector<Lane::Piece> result;
    lane.collect(from, to, shortest, result);
    return result;
}

TEST(Lane, ShowsSingleSpansWhenWideEnough) {
    const Lane lane(everyTenTicks(100, 6));
    const auto shown = pieces(lane, 200, 240, 1);
    ASSERT_EQ(shown.size(), 5U);
    EXPECT_EQ(shown[0].longest, 20U);
    EXPECT_EQ(shown[0].start, 200U);
    EXPECT_EQ(shown[0].end, 206U);
    EXPECT_EQ(shown[0].count, 1U);
}

TEST(Lane, MergesSpansBelowPixelSize) {
    const Lane lane(everyTenTicks(64, 5));
    const auto shown = pieces(lane, 0, 640, 1000);
    ASSERT_EQ(shown.size(), 1U);
    EXPECT_EQ(shown[0].count, 64U);
    EXPECT_EQ(shown[0].busy, 64U * 5);
    EXPECT_EQ(shown[0].end, 635U);
}

TEST(Lane, TheLongestSpanGivesAPieceItsName) {
    std::vector<Span> spans = everyTenTicks(64, 2);
    spans[37].end = spans[37].start + 9;
    EXPECT_EQ(pieces(Lane(spans), 0, 640, 1000)[0].longest, 37U);
}

TEST(Lane, PaintingCostDependsOnTheScreenWidth) {
    const Lane lane(everyTenTicks(1'000'000, 7));
    constexpr std::uint64_t all = 10'000'000;
    constexpr std::uint64_t pixels = 2000;
    for (std::uint64_t zoom = 1; zoom <= 1024; zoom *= 4) {
        const std::uint64_t to = all / zoom;
        const auto shown = pieces(lane, 0, to, to / pixels);
        EXPECT_LE(shown.size(), pixels * 2 + 2) << zoom;
        EXPECT_GE(shown.size(), 100U) << zoom;
        std::size_t count = 0;
        for (const Lane::Piece& each : shown) {
            count += each.count;
        }
        EXPECT_GE(count, to / 10) << "nothing is lost";
    }
}

TEST(Lane, FindsTheSpanAtATime) {
    const Lane lane(everyTenTicks(10, 5));
    EXPECT_EQ(lane.at(0), 0U);
    EXPECT_EQ(lane.at(43), 4U);
    EXPECT_EQ(lane.at(48), 10U) << "between two";
    EXPECT_EQ(lane.at(1000), 10U);
    EXPECT_EQ(Lane({}).at(0), 0U);
    EXPECT_TRUE(pieces(Lane({}), 0, 10, 1).empty());
}

TEST(Lane, MeasuresLikeCountingByHand) {
    std::mt19937 random(7);
    std::vector<Span> spans;
    std::uint64_t now = 0;
    for (etdump::EventIndex i = 0; i < 500; ++i) {
        const std::uint64_t start = now + random() % 5;
        now = start + random() % 9;
        spans.push_back({start, now, i});
    }
    const Lane lane(spans);
    for (int i = 0; i < 200; ++i) {
        const std::uint64_t from = random() % (now + 10);
        const std::uint64_t to = from + random() % (now / 2);
        Lane::Use wanted;
        for (const Span& span : spans) {
            const std::uint64_t left = std::max(span.start, from);
            const std::uint64_t right = std::min(span.end, to);
            wanted.busy += right > left ? right - left : 0;
            wanted.started += span.start >= from && span.start <= to ? 1 : 0;
        }
        const Lane::Use use = lane.use(from, to);
        ASSERT_EQ(use.busy, wanted.busy) << from << " to " << to;
        ASSERT_EQ(use.started, wanted.started) << from << " to " << to;
    }
}

}  // namespace

}  // namespace et::visualizers
