#include "visualizers/toolkit/zoom_range.h"

#include <gtest/gtest.h>

namespace et::visualizers {

namespace {

TEST(ZoomRange, ZoomKeepsThePointUnderTheCursor) {
    ZoomRange view(100'000, 20, 1000);
    const double time = view.valueAt(300);
    view.zoom(0.5, 300);
    EXPECT_NEAR(view.valueAt(300), time, 1e-6);
    EXPECT_NEAR(view.to() - view.from(), 50'000, 1e-6);
}

TEST(ZoomRange, StaysWithinTheAxis) {
    ZoomRange view(1000, 20, 100);
    view.zoom(4, 50);
    EXPECT_EQ(view.from(), 0);
    EXPECT_EQ(view.to(), 1000);
    view.zoom(0.5, 0);
    view.pan(-1e6);
    EXPECT_EQ(view.from(), 0);
    view.pan(1e6);
    EXPECT_EQ(view.to(), 1000);
    for (int i = 0; i < 100; ++i) {
        view.zoom(0.5, 10);
    }
    EXPECT_GE(view.to() - view.from(), 1) << "there is a closest look";
    view.fit();
    EXPECT_EQ(view.to() - view.from(), 1000);
}

TEST(ZoomRange, ShowsAStretchWithAMargin) {
    ZoomRange view(10'000, 20, 100);
    view.show(4000, 4100, 0.5);
    EXPECT_NEAR(view.from(), 3950, 1e-6);
    EXPECT_NEAR(view.to(), 4150, 1e-6);
    EXPECT_NEAR(view.pixelOf(4050), 50, 1e-6);
    view.show(0, 10, 2);
    EXPECT_EQ(view.from(), 0);
}

TEST(ZoomRange, HandlesAxisShorterThanTheMinimumZoom) {
    ZoomRange view(1, 20, 0);
    view.zoom(0.5, 0);
    EXPECT_EQ(view.to(), 1);
}

TEST(ZoomRange, KeepsTheRangeWhenTheAxisChanges) {
    ZoomRange before(1000, 20, 100);
    ZoomRange now(2000, 20, 100);
    now.keep(before);
    EXPECT_TRUE(now.isWhole()) << "as all of it was on screen";
    before.show(300, 400);
    now.keep(before);
    EXPECT_NEAR(now.from(), 300, 1e-6);
    EXPECT_NEAR(now.to(), 400, 1e-6);
    ZoomRange shorter(350, 20, 100);
    shorter.keep(before);
    EXPECT_NEAR(shorter.to(), 350, 1e-6) << "as near as there is";
    EXPECT_NEAR(shorter.to() - shorter.from(), 100, 1e-6);
    ZoomRange gone(200, 20, 100);
    gone.keep(before);
    EXPECT_TRUE(gone.isWhole()) << "nothing of it is left";
}

}  // namespace

}  // namespace et::visualizers
