// The timeline as a person uses it: looking closer, choosing, measuring.
#include "app/studio/timeline/timeline_room.h"

#include "tests/studio/pictures.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/generated_trace.h"
#include "tests/support/shared_data.h"
#include "visualizers/timeline/timeline_widget.h"
#include "visualizers/toolkit/name_colour.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <QTreeView>
#include <QWheelEvent>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

namespace et::test {

namespace {

using visualizers::Lane;
using visualizers::Span;
using visualizers::Timeline;
using visualizers::TimelineWidget;

class TimelineRoomTest : public StudioTest {
  protected:
    TimelineRoomTest() : room(*driver.window().findChild<studio::TimelineRoom*>()), widget(room.view()) {}

    void open(const std::vector<std::filesystem::path>& paths) {
        driver.open(paths);
        driver.enterRoom(QStringLiteral("Timeline"));
        ASSERT_TRUE(QTest::qWaitFor([this] { return !room.busy(); }, 30'000));
        QTest::qWait(0);
        timeline = Timeline::build(driver.window().opened().session()->blocks);
        widget.setFocus();
    }
    [[nodiscard]] Span span(std::size_t lane, std::size_t place) const {
        return timeline->lanes[lane].spans()[place];
    }
    [[nodiscard]] QPoint middle(std::size_t lane, const Span& of) const {
        return widget.rectOf(lane, of).center().toPoint();
    }
    void wheel(QPoint at, int notches) {
        QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, notches * 120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&widget, &event);
    }

    WindowDriver driver;
    studio::TimelineRoom& room;
    TimelineWidget& widget;
    std::shared_ptr<const Timeline> timeline;
};

TEST_F(TimelineRoomTest, NestsWhatIsInsideBelow) {
    open({write("small.etdp", smallTrace(3))});
    ASSERT_EQ(timeline->lanes.size(), 6U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(timeline->nameOf(span(0, i)), "Method::execute");
    }
    EXPECT_EQ(timeline->nameOf(span(5, 0)), "Method::init") << "within the first run's first kernel";
    EXPECT_EQ(timeline->nameOf(span(1, 0)), "DELEGATE_CALL");
    EXPECT_EQ(timeline->nameOf(span(2, 0)), "Convolution (NHWC) #1");
}

TEST_F(TimelineRoomTest, PaintsEachSpanInItsColour) {
    open({write("small.etdp", smallTrace(3))});
    const Span run = span(0, 1);
    widget.setFocus();
    QTest::mouseClick(&widget, Qt::LeftButton, {}, middle(0, run));
    driver.press(Qt::Key_F);
    const QRectF bar = widget.rectOf(0, run);
    EXPECT_GT(bar.width(), 50) << "fitted";
    const QImage picture = widget.grab().toImage();
    // Beside the name, which stands on the left.
    EXPECT_EQ(picture.pixel(static_cast<int>(bar.right()) - 8, static_cast<int>(bar.center().y())),
              visualizers::barColour("Method::execute", false).rgb());
}

TEST_F(TimelineRoomTest, AClickChoosesEverywhereAndBack) {
    open({write("small.etdp", smallTrace(3))});
    QTest::mouseClick(&widget, Qt::LeftButton, {}, middle(0, span(0, 2)));
    ASSERT_NE(driver.window().selection().currentEvent(), nullptr);
    EXPECT_EQ(driver.window().selection().currentEvent()->name, "Method::execute");
    EXPECT_EQ(driver.table().currentIndex().data().toString(), QStringLiteral("Method::execute"));
    driver.press(Qt::Key_Comma);
    driver.press(Qt::Key_Comma);
    driver.press(Qt::Key_F);
    EXPECT_EQ(widget.view().from(), 0) << "the first run";
    EXPECT_LT(widget.view().to(), 100'000);
}

TEST_F(TimelineRoomTest, LooksCloserAtTheCursor) {
    open(samplePaths());
    const double all = widget.view().to() - widget.view().from();
    const QPoint at(widget.width() / 4, 40);
    const double time = widget.view().valueAt(at.x());
    wheel(at, 3);
    EXPECT_LT(widget.view().to() - widget.view().from(), all / 2);
    EXPECT_NEAR(widget.view().valueAt(at.x()), time, widget.view().perPixel());
    driver.press(Qt::Key_W);
    const double from = widget.view().from();
    driver.press(Qt::Key_D);
    EXPECT_GT(widget.view().from(), from);
    driver.press(Qt::Key_A);
    EXPECT_NEAR(widget.view().from(), from, 1);
    driver.press(Qt::Key_Space);
    EXPECT_EQ(widget.view().to() - widget.view().from(), all);
}

TEST_F(TimelineRoomTest, AShiftDragMeasures) {
    open({write("small.etdp", smallTrace(3))});
    const auto label = [this] {
        return driver.window().findChild<QLabel*>(QStringLiteral("measurement"))->text();
    };
    EXPECT_TRUE(label().contains(QStringLiteral("Shift-drag measures")));
    QTest::mousePress(&widget, Qt::LeftButton, Qt::ShiftModifier, QPoint(0, 60));
    QMouseEvent move(QEvent::MouseMove, QPointF(widget.width(), 60),
                     widget.mapToGlobal(QPointF(widget.width(), 60)), Qt::NoButton, Qt::LeftButton,
                     Qt::ShiftModifier);
    QApplication::sendEvent(&widget, &move);
    QTest::mouseRelease(&widget, Qt::LeftButton, {}, QPoint(widget.width(), 60));
    const auto range = driver.window().selection().range();
    ASSERT_TRUE(range);
    EXPECT_EQ(range->last - range->first, timeline->length);
    EXPECT_TRUE(label().contains(QStringLiteral("lane 0: 3 events"))) << label().toStdString();
    EXPECT_EQ(driver.window().selection().current(), std::nullopt) << "a drag is no click";
    driver.press(Qt::Key_Backspace);
    EXPECT_FALSE(driver.window().selection().range());
}

TEST_F(TimelineRoomTest, SearchingMakesAllOthersPale) {
    open({write("small.etdp", smallTrace(3))});
    driver.press(Qt::Key_F, Qt::ControlModifier);
    auto* const search = driver.window().findChild<QLineEdit*>(QStringLiteral("timelineSearch"));
    ASSERT_TRUE(search->hasFocus());
    const QImage before = widget.grab().toImage();
    QTest::keyClicks(search, QStringLiteral("execute"));
    const QImage after = widget.grab().toImage();
    const QPoint run = middle(0, span(0, 1));
    const QPoint call = middle(1, span(1, 1));
    EXPECT_EQ(after.pixel(run), before.pixel(run));
    EXPECT_NE(after.pixel(call), before.pixel(call));
}

TEST_F(TimelineRoomTest, EnterGoesFromMatchToMatch) {
    open({write("small.etdp", smallTrace(3))});
    driver.press(Qt::Key_F, Qt::ControlModifier);
    auto* const search = driver.window().findChild<QLineEdit*>(QStringLiteral("timelineSearch"));
    QTest::keyClicks(search, QStringLiteral("convolution"));
    EXPECT_TRUE(widget.matchText().startsWith(QStringLiteral("3 matches")))
        << widget.matchText().toStdString();
    for (int match = 0; match < 3; ++match) {
        QTest::keyClick(search, Qt::Key_Return);
        ASSERT_NE(driver.window().selection().currentEvent(), nullptr);
        EXPECT_EQ(driver.window().selection().currentEvent()->name, "Convolution (NHWC) #1");
        EXPECT_TRUE(widget.pinned().contains(QStringLiteral("run %1").arg(match + 1)))
            << widget.pinned().toStdString();
    }
    widget.setFocus();
    driver.press(Qt::Key_F3, Qt::ShiftModifier);
    EXPECT_TRUE(widget.pinned().contains(QStringLiteral("run 2")));
}

TEST_F(TimelineRoomTest, LoadingIsMarkedAndRunsAreNumbered) {
    open({write("small.etdp", smallTrace(3))});
    ASSERT_EQ(timeline->markers.size(), 1U);
    EXPECT_EQ(timeline->markers[0].name, "Method::init");
    ASSERT_EQ(timeline->runs.spans().size(), 3U);
    EXPECT_EQ(timeline->runAt(timeline->runs.spans()[1].start + 5), 1U);
    EXPECT_EQ(timeline->runAt(timeline->runs.spans()[1].end + 5), 1U) << "the last before";
    const double x = widget.view().pixelOf(static_cast<double>(timeline->markers[0].start));
    EXPECT_GE(x, 0);
    EXPECT_LT(x, widget.width());
}

TEST_F(TimelineRoomTest, AMeasuredStretchSaysWhoseTimeItIs) {
    open({write("small.etdp", smallTrace(3))});
    driver.window().selection().setRange(visualizers::TickRange{0, 3'000'000});
    const QString said = widget.measurement();
    EXPECT_TRUE(said.contains(QStringLiteral("3 runs"))) << said.toStdString();
    EXPECT_TRUE(said.contains(QStringLiteral("Convolution (NHWC) #1 ×3"))) << said.toStdString();
}

TEST_F(TimelineRoomTest, RealTracesHaveTheirDelegatesInside) {
    ET_NEEDS_SHARED_DATA();
    open({sharedData() / "traces" / "mobilenet_v2_small_xnnpack" / "trace.etdp"});
    ASSERT_GE(timeline->lanes.size(), 3U);
    bool found = false;
    for (const Lane& lane : timeline->lanes) {
        for (const Span& each : lane.spans()) {
            found |= &lane != &timeline->lanes[0] && timeline->nameOf(each).starts_with("Convolution");
        }
    }
    EXPECT_TRUE(found);
}

TEST_F(TimelineRoomTest, AMillionEventsPaintAtEveryZoom) {
    const GeneratedTraceFile file(1000, 1000);
    open({file.path()});
    driver.window().resize(1920, 1080);
    QTest::qWait(0);
    std::vector<double> milliseconds;
    for (int zoom = 0; zoom < 40; ++zoom) {
        QElapsedTimer clock;
        clock.start();
        const QImage picture = widget.grab().toImage();
        milliseconds.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
        EXPECT_NE(picture.pixel(picture.width() / 2, 30), QRgb(0));
        wheel(QPoint(widget.width() / 3, 40), 2);
    }
    std::ranges::sort(milliseconds);
    RecordProperty("paint_p50_ms", std::to_string(milliseconds[milliseconds.size() / 2]));
    RecordProperty("paint_p95_ms", std::to_string(milliseconds[milliseconds.size() * 95 / 100]));
    std::printf("frames of a million events: p50 %.2f ms, p95 %.2f ms\n",
                milliseconds[milliseconds.size() / 2], milliseconds[milliseconds.size() * 95 / 100]);
}

TEST_F(TimelineRoomTest, TakesItsPicture) {
    driver.window().resize(1280, 720);
    open(samplePaths());
    driver.press(Qt::Key_Space);
    QTest::mouseClick(&widget, Qt::LeftButton, {}, middle(0, span(0, 2)));
    driver.press(Qt::Key_F);
    takePictures(driver, "timeline");
}

}  // namespace

}  // namespace et::test
