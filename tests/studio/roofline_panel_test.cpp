// Tests of the Roofline panel.
#include "app/studio/roofline/roofline_panel.h"

#include "app/tasks/machine/machine_cache.h"
#include "tests/studio/pictures.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"
#include "visualizers/roofline/roofline_widget.h"
#include "visualizers/toolkit/report_table.h"

#include <QAccessible>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>

#include <gtest/gtest.h>

namespace et::test {

namespace {

/// A machine of two cores with round figures.
inspector::MachineProfile roundMachine() {
    inspector::MachineProfile profile;
    profile.machine.cpu = "Two Cores";
    profile.machine.system = "Linux";
    profile.machine.cores = 2;
    profile.date = "2026-11-25";
    profile.timerResolution = 1;
    profile.timerCost = 20;
    for (const std::size_t threads : {1, 2}) {
        const auto times = static_cast<double>(threads);
        profile.peaks.push_back({.how = "AVX2 FMA", .threads = threads, .gigaops = 100 * times});
        profile.peaks.push_back({.arithmetic = inspector::Arithmetic::Int8,
                                 .how = "AVX2",
                                 .threads = threads,
                                 .gigaops = 200 * times});
        profile.bandwidths.push_back({.level = "L1",
                                      .capacity = 32 * 1024 * threads,
                                      .threads = threads,
                                      .read = 200 * times,
                                      .copy = 200 * times,
                                      .add = 200 * times});
        profile.bandwidths.push_back({.level = "memory",
                                      .threads = threads,
                                      .read = 10 * times,
                                      .copy = 10 * times,
                                      .add = 10 * times});
    }
    return profile;
}

class RooflinePanelTest : public StudioTest {
  protected:
    RooflinePanelTest()
        : before(qgetenv("XDG_CACHE_HOME")),
          panel(*driver.window().findChild<studio::RooflinePanel*>()),
          plot(panel.view()) {
        qputenv("XDG_CACHE_HOME", QByteArray::fromStdString((folder() / "cache").string()));
    }
    ~RooflinePanelTest() override { qputenv("XDG_CACHE_HOME", before); }

    void open(const std::vector<std::filesystem::path>& paths) {
        driver.open(paths);
        driver.enterPanel(QStringLiteral("Roofline"));
        ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 30'000));
        QTest::qWait(0);
    }
    void openMeasured() {
        ASSERT_TRUE(tasks::cacheProfile(roundMachine()));
        open(runSamplePaths());
        ASSERT_NE(plot.content(), nullptr) << labelled("rooflineHint").toStdString();
        ASSERT_FALSE(plot.content()->points().empty());
        plot.setFocus();
    }
    [[nodiscard]] QString labelled(const char* name) {
        return driver.window().findChild<QLabel*>(QString::fromLatin1(name))->text();
    }
    [[nodiscard]] visualizers::Selection& selection() { return driver.window().selection(); }

    QByteArray before;
    WindowDriver driver;
    studio::RooflinePanel& panel;
    visualizers::RooflineWidget& plot;
};

TEST_F(RooflinePanelTest, OffersToMeasureUnknownMachine) {
    open(runSamplePaths());
    EXPECT_EQ(plot.content(), nullptr);
    EXPECT_TRUE(driver.window().findChild<QPushButton*>(QStringLiteral("rooflineMeasure"))->isVisible());
    EXPECT_TRUE(labelled("rooflineHint").contains(QStringLiteral("measured")));
}

TEST_F(RooflinePanelTest, ReportsUnreadableMeasurementAndOffersANewOne) {
    std::filesystem::create_directories(folder() / "cache" / "et-inspect");
    (void)write("cache/et-inspect/machine.json", "{\"schema\": 1}");
    open(runSamplePaths());
    EXPECT_TRUE(labelled("rooflineHint").contains(QStringLiteral("machine.json")));
    EXPECT_TRUE(driver.window().findChild<QPushButton*>(QStringLiteral("rooflineMeasure"))->isVisible());
}

TEST_F(RooflinePanelTest, PointsLieBelowTheRoofsOfTheMachine) {
    ASSERT_NO_FATAL_FAILURE(openMeasured());
    EXPECT_EQ(plot.content()->roofs().size(), 4U) << "fp32, int8, L1, memory";
    EXPECT_EQ(plot.content()->highest(), 200);
    for (std::size_t point = 0; point < plot.content()->points().size(); ++point) {
        EXPECT_TRUE(QRectF(plot.rect()).contains(plot.placeOf(point))) << point;
    }
    driver.window().findChild<QSpinBox*>(QStringLiteral("rooflineThreads"))->setValue(2);
    ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 30'000));
    EXPECT_EQ(plot.content()->highest(), 400) << "two threads can do twice as much";
}

TEST_F(RooflinePanelTest, AClickChoosesTheOperatorAndTheTableFollows) {
    ASSERT_NO_FATAL_FAILURE(openMeasured());
    const std::size_t point = plot.content()->points().size() - 1;
    QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.placeOf(point).toPoint());
    ASSERT_TRUE(plot.chosenPoint());
    EXPECT_EQ(selection().current(), plot.eventOf(*plot.chosenPoint()));
    EXPECT_EQ(panel.winnings().currentRow(), plot.chosenPoint());
    EXPECT_TRUE(labelled("rooflineChosen").contains(QStringLiteral("GFLOP/s")));

    selection().setCurrent(plot.eventOf(0));
    EXPECT_EQ(plot.chosenPoint(), 0U) << "chosen elsewhere, shown here";
    driver.press(Qt::Key_Right);
    EXPECT_EQ(plot.chosenPoint(), std::min<std::size_t>(1, plot.content()->points().size() - 1));
}

TEST_F(RooflinePanelTest, ZoomKeepsThePointUnderThePointerAndSpaceShowsAll) {
    ASSERT_NO_FATAL_FAILURE(openMeasured());
    selection().setCurrent(plot.eventOf(0));
    const QPointF whole = plot.placeOf(0);
    driver.press(Qt::Key_F);
    EXPECT_NE(plot.placeOf(0), whole);
    EXPECT_TRUE(QRectF(plot.rect()).contains(plot.placeOf(0)));
    driver.press(Qt::Key_Space);
    EXPECT_EQ(plot.placeOf(0), whole);
}

TEST_F(RooflinePanelTest, HasAnAccessibleDescription) {
    ASSERT_NO_FATAL_FAILURE(openMeasured());
    const QAccessibleInterface* const spoken = QAccessible::queryAccessibleInterface(&plot);
    ASSERT_NE(spoken, nullptr);
    EXPECT_EQ(spoken->text(QAccessible::Name), QStringLiteral("Roofline"));
    selection().setCurrent(plot.eventOf(0));
    EXPECT_TRUE(spoken->text(QAccessible::Value).contains(QStringLiteral("bound by")));
}

TEST_F(RooflinePanelTest, TakesItsPicture) {
    ET_NEEDS_SHARED_DATA();
    ASSERT_TRUE(tasks::cacheProfile(roundMachine()));
    driver.window().resize(1280, 720);
    const auto programs = sharedData() / "programs" / "mobilenet_v2_small";
    open({programs / "portable.bpte", programs / "portable.etrecord",
          sharedData() / "traces" / "mobilenet_v2_small_portable" / "trace.etdp"});
    ASSERT_NE(plot.content(), nullptr);
    driver.enterPerspective("time");
    driver.enterPanel(QStringLiteral("Roofline"));
    selection().setCurrent(plot.eventOf(0));
    takePictures(driver, "roofline");
}

}  // namespace

}  // namespace et::test
