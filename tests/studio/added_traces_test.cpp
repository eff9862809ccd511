// Tests of opening a second trace for comparison, and of its effect on the panels.
#include "app/samples/sample_set.h"
#include "app/studio/compare/compare_panel.h"
#include "app/studio/overview/overview_panel.h"
#include "app/studio/timeline/timeline_panel.h"
#include "app/studio/trace_menu.h"
#include "tests/studio/pictures.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/compare/comparison_table.h"
#include "visualizers/timeline/timeline_widget.h"

#include <QComboBox>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>

namespace et::test {

namespace {

using visualizers::Timeline;

class AddedTracesTest : public StudioTest {
  protected:
    [[nodiscard]] const inspector::Session& session() { return *driver.window().opened().session(); }
    [[nodiscard]] studio::TimelinePanel& timelinePanel() {
        return *driver.window().findChild<studio::TimelinePanel*>();
    }
    void waitForTimeline() {
        driver.enterPanel(QStringLiteral("Timeline"));
        ASSERT_TRUE(QTest::qWaitFor([this] { return !timelinePanel().busy(); }, 30'000));
        QTest::qWait(0);
    }
    void openBoth() {
        driver.open({write("a.etdp", smallTrace(3))});
        driver.drop({write("b.etdp", smallTrace(5))});
    }

    WindowDriver driver;
};

TEST_F(AddedTracesTest, DroppedTraceOfTheSameProgramIsAdded) {
    driver.open({write("a.etdp", smallTrace(3))});
    driver.clickEvent(2);
    const auto chosen = driver.window().selection().current();
    driver.drop({write("b.etdp", smallTrace(5))});
    EXPECT_EQ(session().files.trace.filename(), "a.etdp");
    ASSERT_EQ(session().others.size(), 1U);
    EXPECT_EQ(driver.window().selection().current(), chosen) << "what was chosen stays";
    EXPECT_TRUE(driver.window().windowTitle().contains(QStringLiteral("b.etdp")));
    EXPECT_TRUE(driver.errors().isEmpty());
}

TEST_F(AddedTracesTest, TraceOfAnotherProgramReplacesOrIsAdded) {
    driver.open({write("a.etdp", smallTrace(3))});
    const auto foreign = sample().trace;
    driver.window().addTraces({foreign});
    driver.waitUntilIdle();
    ASSERT_EQ(session().others.size(), 1U);
    EXPECT_EQ(session().others[0].files.trace, foreign);
    driver.drop({foreign});
    EXPECT_EQ(session().files.trace.filename(), "a.etdp") << "it is open already";
    driver.trigger(QStringLiteral("Close Other Traces"));
    EXPECT_TRUE(session().others.empty());
    driver.drop({foreign});
    EXPECT_EQ(session().files.trace, foreign);
}

TEST_F(AddedTracesTest, MenuSelectsTheMainTrace) {
    openBoth();
    auto* const menu = driver.window().findChild<studio::TraceMenu*>();
    ASSERT_EQ(menu->actions().size(), 4);
    EXPECT_TRUE(menu->actions()[0]->isChecked());
    menu->actions()[1]->trigger();
    driver.waitUntilIdle();
    EXPECT_EQ(session().files.trace.filename(), "b.etdp");
    ASSERT_EQ(session().others.size(), 1U);
    EXPECT_EQ(session().others[0].files.trace.filename(), "a.etdp");
    driver.press(Qt::Key_F5);
    driver.waitUntilIdle();
    EXPECT_EQ(session().files.trace.filename(), "b.etdp") << "a reload keeps the places";
}

TEST_F(AddedTracesTest, TimelineStacksTraces) {
    openBoth();
    waitForTimeline();
    auto& widget = timelinePanel().view();
    const auto other = Timeline::build(session().others[0].blocks);
    const auto main = Timeline::build(session().blocks);
    const QRectF below = widget.rectOf(0, other->lanes[0].spans()[0], 1);
    const QRectF above = widget.rectOf(0, main->lanes[0].spans()[0], 0);
    EXPECT_GT(below.top(), above.bottom());
    EXPECT_NEAR(below.left(), above.left(), 1) << "both begin their first run at the same place";
    // Selecting the third run above shows the third run of the other trace below it.
    widget.setFocus();
    driver.press(Qt::Key_Period);
    driver.press(Qt::Key_Period);
    EXPECT_NEAR(widget.rectOf(0, other->runs.spans()[2], 1).left(),
                widget.rectOf(0, main->runs.spans()[2], 0).left(), 1);
    const QImage with = widget.grab().toImage();
    driver.window().findChild<QComboBox*>(QStringLiteral("timelineOthers"))->setCurrentIndex(0);
    QTest::qWait(0);
    EXPECT_NE(widget.grab().toImage(), with);
}

TEST_F(AddedTracesTest, AClickBelowChoosesTheSameOperator) {
    openBoth();
    waitForTimeline();
    auto& widget = timelinePanel().view();
    widget.setFocus();
    driver.press(Qt::Key_Space);
    const auto other = Timeline::build(session().others[0].blocks);
    const QRectF bar = widget.rectOf(0, other->lanes[0].spans()[1], 1);
    QTest::mouseClick(&widget, Qt::LeftButton, {}, bar.center().toPoint());
    ASSERT_NE(driver.window().selection().currentEvent(), nullptr);
    EXPECT_EQ(driver.window().selection().currentEvent()->name, "Method::execute");
    EXPECT_TRUE(widget.cursor().text().contains(QStringLiteral("run 2")))
        << widget.cursor().text().toStdString();
}

TEST_F(AddedTracesTest, ComparesTheLatestTraceImmediately) {
    openBoth();
    driver.waitForComparison();
    EXPECT_NE(driver.compare().view().model().comparison(), nullptr);
    driver.trigger(QStringLiteral("Close Other Traces"));
    driver.waitForComparison();
    EXPECT_EQ(driver.compare().view().model().comparison(), nullptr);
}

TEST_F(AddedTracesTest, OverviewShowsWhetherItMatches) {
    driver.open({write("a.etdp", smallTrace(3))});
    driver.window().addTraces({sample().trace});
    driver.waitUntilIdle();
    driver.enterPanel(QStringLiteral("Overview"));
    auto* const panel = driver.window().findChild<studio::OverviewPanel*>();
    EXPECT_TRUE(driver.waitForText([panel] { return panel->plainText(); }, QStringLiteral("Further trace")));
    EXPECT_TRUE(panel->plainText().contains(QStringLiteral("to different programs")))
        << panel->plainText().toStdString();
}

TEST_F(AddedTracesTest, TakesItsPicture) {
    driver.window().resize(1280, 720);
    const auto files = runSamplePaths();
    driver.open(files);
    const auto again = samples::writeSampleSet("conv_net", folder() / "again");
    ASSERT_TRUE(again);
    const auto trace = std::ranges::find(*again, ".etdp", [](const auto& path) { return path.extension(); });
    ASSERT_NE(trace, again->end());
    driver.drop({*trace});
    ASSERT_EQ(session().others.size(), 1U) << "a run of the same program";
    waitForTimeline();
    auto& widget = timelinePanel().view();
    driver.press(Qt::Key_Space);
    const auto main = Timeline::build(session().blocks);
    const auto run = main->runs.spans()[main->runs.spans().size() / 2];
    QTest::mouseClick(&widget, Qt::LeftButton, {}, widget.rectOf(0, run).center().toPoint());
    driver.press(Qt::Key_F);
    takePictures(driver, "timeline_beside");
}

}  // namespace

}  // namespace et::test
