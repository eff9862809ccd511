// Tests of the placeholder shown over a view while its content loads.
#include "visualizers/toolkit/skeleton.h"

#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"

#include <QImage>
#include <QPixmap>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace et::test {

namespace {

using visualizers::Skeleton;

/// Waits until a skeleton that begins to wait now appears: one that began before it would be visible too.
bool waitForLaterSkeleton() {
    QWidget view;
    view.show();
    Skeleton later(Skeleton::Shape::Rows, &view);
    later.setWaiting(true);
    return QTest::qWaitFor([&] { return later.isVisible(); }, 5'000);
}

TEST(SkeletonTest, AppearsAfterADelayAndDisappearsImmediately) {
    QWidget view;
    view.resize(300, 200);
    Skeleton skeleton(Skeleton::Shape::Lanes, &view);
    view.show();
    skeleton.setWaiting(true);
    EXPECT_FALSE(skeleton.isVisible()) << "what comes at once does not flash";
    ASSERT_TRUE(QTest::qWaitFor([&] { return skeleton.isVisible(); }, 5'000));
    view.resize(400, 260);
    EXPECT_EQ(skeleton.size(), view.size());
    const QImage picture = skeleton.grab().toImage();
    std::set<QRgb> colours;
    for (int x = 0; x < picture.width(); ++x) {
        colours.insert(picture.pixel(x, 20));
    }
    EXPECT_GE(colours.size(), 2U) << "shapes on a ground";
    skeleton.setWaiting(false);
    EXPECT_FALSE(skeleton.isVisible());
    ASSERT_TRUE(waitForLaterSkeleton());
    EXPECT_FALSE(skeleton.isVisible());
}

TEST(SkeletonTest, IsNotShownForFastResults) {
    QWidget view;
    view.show();
    Skeleton skeleton(Skeleton::Shape::Rows, &view);
    skeleton.setWaiting(true);
    skeleton.setWaiting(false);
    ASSERT_TRUE(waitForLaterSkeleton());
    EXPECT_FALSE(skeleton.isVisible());
}

class SkeletonsOfPanels : public StudioTest {};

TEST_F(SkeletonsOfPanels, DisappearWhenLoaded) {
    WindowDriver driver;
    driver.open(runSamplePaths());
    driver.enterPerspective("time");
    const auto all = driver.window().findChildren<Skeleton*>();
    EXPECT_GE(all.size(), 5);
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return std::ranges::none_of(all, [](const Skeleton* each) { return each->isVisible(); }); },
        30'000));
    driver.trigger(QStringLiteral("Close"));
    ASSERT_TRUE(waitForLaterSkeleton());
    for (const Skeleton* const each : all) {
        EXPECT_TRUE(each->isHidden());
    }
}

}  // namespace

}  // namespace et::test
