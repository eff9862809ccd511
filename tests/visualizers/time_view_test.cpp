#include "visualizers/timeline/time_view.h"

#include "visualizers/timeline/timeline_style.h"

#include <gtest/gtest.h>

namespace et::visualizers {

namespace {

TEST(TimeView, KeepsWhatIsUnderTheCursor) {
    TimeView view(100'000, 1000);
    const double time = view.timeAt(300);
    view.zoom(0.5, 300);
    EXPECT_NEAR(view.timeAt(300), time, 1e-6);
    EXPECT_NEAR(view.to() - view.from(), 50'000, 1e-6);
}

TEST(TimeView, StaysWithinTheTimeline) {
    TimeView view(1000, 100);
    view.zoom(4, 50);
    EXPECT_EQ(view.from(), 0);
    EXPECT_EQ(view.to(), 1000);
    view.zoom(0.5, 0);
    view.pan(-1e9);
    EXPECT_EQ(view.from(), 0);
    view.pan(1e9);
    EXPECT_EQ(view.to(), 1000);
    for (int i = 0; i < 100; ++i) {
        view.zoom(0.5, 10);
    }
    EXPECT_GE(view.to() - view.from(), 1) << "there is a closest look";
    view.fit();
    EXPECT_EQ(view.to() - view.from(), 1000);
}

TEST(TimeView, ShowsAStretchWithAMargin) {
    TimeView view(10'000, 100);
    view.show(4000, 4100, 0.5);
    EXPECT_NEAR(view.from(), 3950, 1e-6);
    EXPECT_NEAR(view.to(), 4150, 1e-6);
    EXPECT_NEAR(view.xOf(4050), 50, 1e-6);
    view.show(0, 10, 2);
    EXPECT_EQ(view.from(), 0);
}

TEST(TimeView, ATimelineOfOneTickIsFine) {
    TimeView view(1, 0);
    view.zoom(0.5, 0);
    EXPECT_EQ(view.to(), 1);
}

TEST(RoundStep, IsOneTwoOrFiveTimesAPowerOfTen) {
    EXPECT_DOUBLE_EQ(roundStep(0.7), 1);
    EXPECT_DOUBLE_EQ(roundStep(1), 1);
    EXPECT_DOUBLE_EQ(roundStep(1.2), 2);
    EXPECT_DOUBLE_EQ(roundStep(34), 50);
    EXPECT_DOUBLE_EQ(roundStep(0.00012), 0.0002);
    EXPECT_DOUBLE_EQ(roundStep(51), 100);
}

TEST(BarColour, IsThatOfTheKindOfOperator) {
    EXPECT_EQ(barColour("GEMM #1", false), barColour("GEMM #23", false));
    EXPECT_NE(barColour("GEMM #1", false), barColour("Softmax #1", false));
    EXPECT_LT(barColour("GEMM #1", true).lightness(), barColour("GEMM #1", false).lightness());
}

}  // namespace

}  // namespace et::visualizers
