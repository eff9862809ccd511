// Tests of right-to-left languages: panels and tables are mirrored; pictures of time, bytes and numbers are
// not, and stay usable.
#include "app/studio/panel_area.h"
#include "app/studio/perspectives.h"
#include "app/studio/timeline/timeline_panel.h"
#include "tests/studio/screen_text.h"
#include "tests/studio/settled.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/flame/flame_widget.h"
#include "visualizers/memory/plan_widget.h"
#include "visualizers/timeline/timeline_widget.h"
#include "visualizers/toolkit/zoom_pan_widget.h"

#include <QApplication>
#include <QImage>
#include <QPixmap>
#include <QTest>

#include <gtest/gtest.h>

#include <string>

namespace et::test {

namespace {

class RightToLeftTest : public StudioTest {
  protected:
    RightToLeftTest() { driver.window().resize(1600, 1000); }
    ~RightToLeftTest() override { QApplication::setLayoutDirection(Qt::LeftToRight); }
    RightToLeftTest(const RightToLeftTest&) = delete;
    RightToLeftTest& operator=(const RightToLeftTest&) = delete;

    void turn(Qt::LayoutDirection direction) {
        QApplication::setLayoutDirection(direction);
        ASSERT_TRUE(settle(driver.window()));
    }
    /// Number of texts whose end is cut off.
    [[nodiscard]] int cutTexts() {
        int cut = 0;
        for (const SeenText& each : textsOnScreen(driver.window())) {
            cut += each.cut ? 1 : 0;
        }
        return cut;
    }

    WindowDriver driver;
};

TEST_F(RightToLeftTest, PicturesAreNotMirrored) {
    driver.open(runSamplePaths());
    driver.enterPerspective("time");
    auto& timeline = driver.window().findChild<studio::TimelinePanel*>()->view();
    ASSERT_TRUE(QTest::qWaitFor([&] { return timeline.content().timeline() != nullptr; }, 30'000));
    ASSERT_TRUE(settle(driver.window()));
    timeline.setFixedSize(600, 300);
    ASSERT_TRUE(settle(driver.window()));
    const QImage before = timeline.grab().toImage();
    turn(Qt::RightToLeft);
    EXPECT_TRUE(driver.window().isRightToLeft());
    const QImage after = timeline.grab().toImage();
    if (after != before) {
        before.save(QStringLiteral(ET_SCREENSHOT_BUILD_DIR "/left_to_right_timeline.png"));
        after.save(QStringLiteral(ET_SCREENSHOT_BUILD_DIR "/right_to_left_timeline.png"));
        ADD_FAILURE() << "time goes to the right in every language";
    }
    for (const auto* const each : driver.window().findChildren<visualizers::ZoomPanWidget*>()) {
        EXPECT_FALSE(each->isRightToLeft()) << each->metaObject()->className();
    }
    // A click selects the item below it.
    const auto& lanes = timeline.content().timeline()->lanes;
    const visualizers::Span span = lanes.front().spans().back();
    const QRectF bar = timeline.rectOf(0, span);
    if (!bar.isEmpty()) {
        QTest::mouseClick(&timeline, Qt::LeftButton, {}, bar.center().toPoint());
        EXPECT_TRUE(driver.window().selection().current());
    }
}

TEST_F(RightToLeftTest, EveryPerspectiveCanBeReadAndUsed) {
    driver.open(runSamplePaths());
    for (const studio::Perspective& plan : studio::perspectives()) {
        turn(Qt::LeftToRight);
        driver.enterPerspective(plan.id);
        ASSERT_TRUE(settle(driver.window()));
        const int cutBefore = cutTexts();
        const QSize size = driver.window().size();
        turn(Qt::RightToLeft);
        constexpr int slack = 3;  // columns with another end
        EXPECT_LE(cutTexts(), cutBefore + slack) << plan.id;
        EXPECT_EQ(driver.window().size(), size) << plan.id;
        const auto file = std::filesystem::path(ET_SCREENSHOT_BUILD_DIR) / "gallery" /
                          ("rtl_" + std::string(plan.id) + ".png");
        std::filesystem::create_directories(file.parent_path());
        EXPECT_TRUE(driver.window().grab().save(QString::fromStdString(file.string())));
    }
}

}  // namespace

}  // namespace et::test
