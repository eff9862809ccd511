// Tests of the timeline: zooming, selecting, measuring.
#include "app/studio/timeline/timeline_panel.h"

#include "app/studio/panel_area.h"
#include "app/studio/range/range_panel.h"
#include "inspector/events/readable_name.h"
#include "tests/studio/clicks.h"
#include "tests/studio/pictures.h"
#include "tests/studio/settled.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/generated_trace.h"
#include "tests/support/shared_data.h"
#include "visualizers/timeline/time_sum_table.h"
#include "visualizers/timeline/timeline_text.h"
#include "visualizers/timeline/timeline_widget.h"
#include "visualizers/toolkit/name_colour.h"
#include "visualizers/toolkit/text.h"

#include <QAbstractItemModelTester>
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

class TimelinePanelTest : public StudioTest {
  protected:
    TimelinePanelTest() : panel(*driver.window().findChild<studio::TimelinePanel*>()), widget(panel.view()) {}

    void open(const std::vector<std::filesystem::path>& paths) {
        driver.open(paths);
        driver.enterPanel(QStringLiteral("Timeline"));
        ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 30'000));
        QTest::qWait(0);
        timeline = Timeline::build(driver.window().opened().session()->blocks);
        widget.setFocus();
        firstView = widget.view();
        driver.press(Qt::Key_Space);
    }
    [[nodiscard]] Span span(std::size_t lane, std::size_t place) const {
        return timeline->lanes[lane].spans()[place];
    }
    [[nodiscard]] QPoint middle(std::size_t lane, const Span& of) const {
        return widget.rectOf(lane, of).center().toPoint();
    }
    void dragWithShift(QPoint from, QPoint to) {
        QTest::mousePress(&widget, Qt::LeftButton, Qt::ShiftModifier, from);
        QMouseEvent move(QEvent::MouseMove, to, widget.mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                         Qt::ShiftModifier);
        QApplication::sendEvent(&widget, &move);
        QTest::mouseRelease(&widget, Qt::LeftButton, {}, to);
    }
    void wheel(QPoint at, int notches) {
        QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, notches * 120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&widget, &event);
    }

    WindowDriver driver;
    studio::TimelinePanel& panel;
    TimelineWidget& widget;
    std::shared_ptr<const Timeline> timeline;
    visualizers::ZoomRange firstView;  ///< initial view
};

TEST_F(TimelinePanelTest, WithoutATraceNamesTheMissingFile) {
    auto* const hint = panel.findChild<QLabel*>(QStringLiteral("timelineHint"));
    auto* const keys = panel.findChild<QLabel*>(QStringLiteral("measurement"));
    ASSERT_TRUE(hint != nullptr && keys != nullptr);
    const auto paths = runSamplePaths();
    const auto program = std::ranges::find(paths, ".pte", &std::filesystem::path::extension);
    ASSERT_NE(program, paths.end());
    driver.open({*program});
    driver.enterPanel(QStringLiteral("Timeline"));
    EXPECT_TRUE(WindowDriver::onScreen(*hint));
    EXPECT_TRUE(hint->text().contains(QStringLiteral(".etdp")));
    EXPECT_FALSE(WindowDriver::onScreen(*keys)) << "there is nothing to zoom";
    open({write("small.etdp", smallTrace(3))});
    EXPECT_FALSE(WindowDriver::onScreen(*hint));
    EXPECT_TRUE(WindowDriver::onScreen(*keys));
}

TEST_F(TimelinePanelTest, OpensOnTheFirstRun) {
    open({write("small.etdp", smallTrace(3))});
    const Span run = timeline->runs.spans()[0];
    EXPECT_LE(firstView.from(), static_cast<double>(run.start));
    EXPECT_GE(firstView.to(), static_cast<double>(run.end));
    EXPECT_LT(firstView.to(), static_cast<double>(timeline->runs.spans()[1].start));
    EXPECT_TRUE(widget.view().isWhole()) << "Space shows all";
    driver.press(Qt::Key_1);
    EXPECT_NEAR(widget.view().to(), firstView.to(), 1);
}

/// The first run of a real trace is often cold.
TEST_F(TimelinePanelTest, OpensOnATypicalRunIfTheFirstIsMuchLonger) {
    ET_NEEDS_SHARED_DATA();
    open({sharedData() / "traces" / "mobilenet_v2_small_xnnpack" / "trace.etdp"});
    const auto runs = timeline->runs.spans();
    const auto lengthOf = [](const Span& run) { return run.end - run.start; };
    std::vector<std::uint64_t> lengths;
    std::ranges::transform(runs, std::back_inserter(lengths), lengthOf);
    std::ranges::sort(lengths);
    const double median = static_cast<double>(lengths[lengths.size() / 2]);
    ASSERT_GT(static_cast<double>(lengthOf(runs[0])), 2 * median) << "the trace has a cold first run";
    EXPECT_NEAR(firstView.to() - firstView.from(), median, median / 4);
    const std::size_t shown = timeline->runAt(static_cast<std::uint64_t>(firstView.from() + median / 2));
    EXPECT_EQ(shown, timeline->typicalRun);
    widget.navigation().chooseRow({1, 0});
    const auto& chosen = widget.cursor().span();
    ASSERT_TRUE(chosen);
    EXPECT_EQ(timeline->runAt(widget.content().spanOf(*chosen).start), shown);
}

TEST_F(TimelinePanelTest, ArrowsLinkProducersAndConsumers) {
    open(runSamplePaths());
    const auto& blocks = driver.window().opened().blocks()->blocks();
    const auto called = [&](std::string_view part) {
        for (std::size_t block = 0; block < blocks.size(); ++block) {
            for (std::size_t i = 0; i < blocks[block].events.size(); ++i) {
                if (blocks[block].events[i].name.find(part) != std::string_view::npos) {
                    return visualizers::EventRef{block, i};
                }
            }
        }
        ADD_FAILURE() << part;
        return visualizers::EventRef{};
    };
    const auto rowAt = [&](const visualizers::SpanRef& place) { return *widget.content().rowOf(place); };
    const QImage before = widget.grab().toImage();
    widget.navigation().chooseRow(called("convolution"));
    ASSERT_FALSE(widget.cursor().flows().after.empty()) << "something takes what the convolution gives";
    EXPECT_NE(widget.grab().toImage(), before);
    const visualizers::EventRef taker = rowAt(widget.cursor().flows().after.front());
    driver.press(Qt::Key_Right, Qt::ControlModifier);
    EXPECT_EQ(driver.window().selection().current(), taker);
    ASSERT_FALSE(widget.cursor().flows().before.empty());
    EXPECT_EQ(rowAt(widget.cursor().flows().before.back()), called("convolution"));
    driver.press(Qt::Key_Left, Qt::ControlModifier);
    EXPECT_EQ(driver.window().selection().current(), called("convolution"));
    driver.window().selection().setCurrent(std::nullopt);
    EXPECT_EQ(widget.cursor().flows(), visualizers::SpanFlows());
}

TEST_F(TimelinePanelTest, ShowsTheTypicalRunBelow) {
    open({write("small.etdp", smallTrace(3))});
    const auto typical = Timeline::typical(*timeline, 1);
    ASSERT_NE(typical, nullptr);
    EXPECT_EQ(typical->folded, 3U);
    const Span run = typical->lanes[0].spans()[0];
    EXPECT_EQ(run.end - run.start, 10'001U) << "the median of three";
    const QRectF below = widget.rectOf(0, run, 1);
    EXPECT_GT(below.top(), widget.rectOf(0, span(0, 0)).bottom());
    QTest::mouseClick(&widget, Qt::LeftButton, {}, middle(0, span(0, 2)));
    EXPECT_NEAR(widget.rectOf(0, run, 1).left(), widget.rectOf(0, span(0, 2)).left(), 1)
        << "beside the run that is chosen";
    QTest::mouseClick(&widget, Qt::LeftButton, {}, widget.rectOf(0, run, 1).center().toPoint());
    ASSERT_NE(driver.window().selection().currentEvent(), nullptr);
    EXPECT_EQ(driver.window().selection().currentEvent()->name, "Method::execute");
    EXPECT_TRUE(widget.cursor().text().contains(QStringLiteral("median of 3")))
        << widget.cursor().text().toStdString();
}

TEST_F(TimelinePanelTest, LanesFillTheAvailableHeight) {
    driver.window().resize(1920, 1080);
    open({write("small.etdp", smallTrace(3))});
    const QRectF kernel = widget.rectOf(2, span(2, 0));
    EXPECT_GT(kernel.height(), 3 * widget.fontMetrics().height());
    const auto typical = Timeline::typical(*timeline, 1);
    const Span last = typical->lanes.back().spans()[0];
    EXPECT_GT(widget.rectOf(typical->lanes.size() - 1, last, 1).bottom(), widget.height() / 2);
    EXPECT_LE(widget.rectOf(typical->lanes.size() - 1, last, 1).bottom(), widget.height());
}

TEST_F(TimelinePanelTest, ListsSearchMatches) {
    open({write("small.etdp", smallTrace(3))});
    auto* const found =
        driver.window().findChild<visualizers::TimeSumTable*>(QStringLiteral("timelineFound"));
    EXPECT_FALSE(WindowDriver::onScreen(*found));
    auto* const search = driver.window().findChild<QLineEdit*>(QStringLiteral("timelineSearch"));
    search->setText(QStringLiteral("add"));
    QTest::qWait(0);
    EXPECT_TRUE(WindowDriver::onScreen(*found));
    const QAbstractItemModelTester tester(found->model());
    ASSERT_EQ(found->model()->rowCount(), 1);
    EXPECT_EQ(found->model()->index(0, 0).data().toString(), QStringLiteral("add"));
    found->setCurrentIndex(found->model()->index(0, 0));
    ASSERT_NE(driver.window().selection().currentEvent(), nullptr);
    EXPECT_EQ(driver.window().selection().currentEvent()->name, "native_call_add.out");
    search->setText(QStringLiteral("call_add"));
    EXPECT_EQ(found->model()->rowCount(), 1) << "the name in the trace is found too";
}

TEST_F(TimelinePanelTest, HoveredEventIsHighlightedInAllPanels) {
    open({write("small.etdp", smallTrace(3))});
    visualizers::Selection& selection = driver.window().selection();
    driver.press(Qt::Key_1);
    const QImage before = widget.grab().toImage();
    QTest::mouseMove(&widget, middle(0, span(0, 0)));
    ASSERT_TRUE(selection.hovered());
    EXPECT_EQ(driver.window()
                  .opened()
                  .blocks()
                  ->blocks()[selection.hovered()->block]
                  .events[selection.hovered()->event]
                  .name,
              "Method::execute");
    EXPECT_NE(widget.grab().toImage(), before);
}

TEST_F(TimelinePanelTest, NestsInnerEvents) {
    open({write("small.etdp", smallTrace(3))});
    ASSERT_EQ(timeline->lanes.size(), 5U) << "two of phases, two of steps, one of the delegate";
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(timeline->nameOf(span(0, i)), "Inference");
    }
    EXPECT_EQ(timeline->nameOf(span(1, 0)), "Initialize") << "during the first run";
    EXPECT_EQ(timeline->nameOf(span(2, 0)), "Delegate call");
    EXPECT_EQ(timeline->nameOf(span(3, 0)), "add") << "without the call that wraps it";
    EXPECT_EQ(timeline->nameOf(span(4, 0)), "Convolution (NHWC) #1") << "no record tells what it is";
    EXPECT_EQ(timeline->spanName(span(3, 0)).file, "native_call_add.out");
    EXPECT_EQ(timeline->labels[0].kind, visualizers::LaneKind::Phases);
    EXPECT_EQ(timeline->labels[2].title, "Kernels and delegate calls");
    EXPECT_EQ(timeline->labels[3].title, "") << "it goes on";
    EXPECT_EQ(timeline->labels[4].kind, visualizers::LaneKind::Delegate);
}

TEST_F(TimelinePanelTest, PaintsEachSpanInItsColour) {
    open({write("small.etdp", smallTrace(3))});
    const Span run = span(0, 1);
    widget.setFocus();
    QTest::mouseClick(&widget, Qt::LeftButton, {}, middle(0, run));
    driver.press(Qt::Key_F);
    const QRectF bar = widget.rectOf(0, run);
    EXPECT_GT(bar.width(), 50) << "fitted";
    const QImage picture = widget.grab().toImage();
    // Away from the name, which is on the left.
    EXPECT_EQ(picture.pixel(static_cast<int>(bar.right()) - 8, static_cast<int>(bar.top()) + 3),
              visualizers::barColour("Inference", false).rgb());
}

TEST_F(TimelinePanelTest, ClickSelectsInAllPanels) {
    open({write("small.etdp", smallTrace(3))});
    QTest::mouseClick(&widget, Qt::LeftButton, {}, middle(0, span(0, 2)));
    ASSERT_NE(driver.window().selection().currentEvent(), nullptr);
    EXPECT_EQ(driver.window().selection().currentEvent()->name, "Method::execute");
    EXPECT_EQ(driver.table().currentIndex().data().toString(), QStringLiteral("Inference"));
    driver.press(Qt::Key_Comma);
    driver.press(Qt::Key_Comma);
    driver.press(Qt::Key_F);
    EXPECT_EQ(widget.view().from(), 0) << "the first run";
    EXPECT_LT(widget.view().to(), 100'000);
}

TEST_F(TimelinePanelTest, ZoomsAtTheCursor) {
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

TEST_F(TimelinePanelTest, AShiftDragMeasures) {
    open({write("small.etdp", smallTrace(3))});
    const auto label = [this] {
        return driver.window().findChild<QLabel*>(QStringLiteral("measurement"))->text();
    };
    EXPECT_TRUE(label().contains(QStringLiteral("Shift-drag marks")));
    dragWithShift(QPoint(0, 60), QPoint(widget.width(), 60));
    const auto range = driver.window().selection().range();
    ASSERT_TRUE(range);
    EXPECT_EQ(range->last - range->first, timeline->length);
    EXPECT_TRUE(label().contains(QStringLiteral("Phases: 3 events"))) << label().toStdString();
    EXPECT_EQ(driver.window().selection().current(), std::nullopt) << "a drag is no click";
    driver.press(Qt::Key_Backspace);
    EXPECT_FALSE(driver.window().selection().range());
}

TEST_F(TimelinePanelTest, SearchDimsOtherEvents) {
    open({write("small.etdp", smallTrace(3))});
    driver.press(Qt::Key_F, Qt::ControlModifier);
    auto* const search = driver.window().findChild<QLineEdit*>(QStringLiteral("timelineSearch"));
    ASSERT_TRUE(search->hasFocus());
    const QImage before = widget.grab().toImage();
    QTest::keyClicks(search, QStringLiteral("execute"));
    const QImage after = widget.grab().toImage();
    const QPoint run = middle(0, span(0, 1));
    const QPoint call = middle(2, span(2, 1));
    EXPECT_EQ(after.pixel(run), before.pixel(run));
    EXPECT_NE(after.pixel(call), before.pixel(call));
}

TEST_F(TimelinePanelTest, EnterSelectsTheNextMatch) {
    open({write("small.etdp", smallTrace(3))});
    driver.press(Qt::Key_F, Qt::ControlModifier);
    auto* const search = driver.window().findChild<QLineEdit*>(QStringLiteral("timelineSearch"));
    QTest::keyClicks(search, QStringLiteral("convolution"));
    EXPECT_TRUE(visualizers::matchText(widget.content()).startsWith(QStringLiteral("3 matches")))
        << visualizers::matchText(widget.content()).toStdString();
    for (int match = 0; match < 3; ++match) {
        QTest::keyClick(search, Qt::Key_Return);
        ASSERT_NE(driver.window().selection().currentEvent(), nullptr);
        EXPECT_EQ(driver.window().selection().currentEvent()->name, "Convolution (NHWC) #1");
        EXPECT_TRUE(widget.cursor().text().contains(QStringLiteral("run %1").arg(match + 1)))
            << widget.cursor().text().toStdString();
    }
    widget.setFocus();
    driver.press(Qt::Key_F3, Qt::ShiftModifier);
    EXPECT_TRUE(widget.cursor().text().contains(QStringLiteral("run 2")));
}

TEST_F(TimelinePanelTest, LoadingIsMarkedAndRunsAreNumbered) {
    open({write("small.etdp", smallTrace(3))});
    ASSERT_EQ(timeline->markers.size(), 1U);
    EXPECT_EQ(timeline->markers[0].name, "Initialize");
    ASSERT_EQ(timeline->runs.spans().size(), 3U);
    EXPECT_EQ(timeline->runAt(timeline->runs.spans()[1].start + 5), 1U);
    EXPECT_EQ(timeline->runAt(timeline->runs.spans()[1].end + 5), 1U) << "the last before";
    const double x = widget.view().pixelOf(static_cast<double>(timeline->markers[0].start));
    EXPECT_GE(x, 0);
    EXPECT_LT(x, widget.width());
}

TEST_F(TimelinePanelTest, MeasuredRangeShowsTimePerOperator) {
    open({write("small.etdp", smallTrace(3))});
    driver.window().area().setMaximized(false);
    driver.window().resize(1280, 800);
    driver.enterPerspective("time");
    ASSERT_TRUE(settle(driver.window()));
    EXPECT_FALSE(driver.window().selection().range()) << "nothing is marked initially";
    const int height = widget.height();
    EXPECT_GE(height * 10, panel.height() * 6);
    widget.setFocus();
    driver.press(Qt::Key_Space);
    dragWithShift(QPoint(0, height / 2), QPoint(widget.width(), height / 2));
    ASSERT_TRUE(settle(driver.window()));
    EXPECT_EQ(widget.height(), height) << "the summary is in the drawer";
    EXPECT_TRUE(widget.hasFocus()) << "its keys still work";
    const auto* const summary = driver.window().findChild<studio::RangePanel*>();
    EXPECT_TRUE(WindowDriver::onScreen(*summary));
    const QString said = widget.cursor().measurement();
    EXPECT_TRUE(said.contains(QStringLiteral("3 runs"))) << said.toStdString();
    const auto table = [this](const char* name) {
        return driver.window().findChild<visualizers::TimeSumTable*>(QString::fromLatin1(name))->model();
    };
    ASSERT_TRUE(QTest::qWaitFor([&] { return table("stretchNames")->rowCount() > 0; }, 5'000));
    const QAbstractItemModelTester tester(table("stretchNames"));
    QStringList names;
    for (int row = 0; row < table("stretchNames")->rowCount(); ++row) {
        names.append(table("stretchNames")->index(row, 0).data().toString());
    }
    EXPECT_TRUE(names.contains(QStringLiteral("Convolution (NHWC) #1"))) << names.join(u',').toStdString();
    EXPECT_EQ(table("stretchModules")->rowCount(), 1);
    EXPECT_EQ(table("stretchDelegates")->rowCount(), 1);
    auto& rows = *driver.window().findChild<visualizers::TimeSumTable*>(QStringLiteral("stretchNames"));
    clickRow(rows, rows.model()->index(0, 0));
    ASSERT_NE(driver.window().selection().currentEvent(), nullptr);
    EXPECT_EQ(rows.model()->index(0, 0).data().toString().toStdString(),
              inspector::events::readableName(*driver.window().selection().currentBlock(),
                                              *driver.window().selection().currentEvent()));
}

TEST_F(TimelinePanelTest, RealTracesHaveTheirDelegatesInside) {
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

TEST_F(TimelinePanelTest, AMillionEventsPaintAtEveryZoom) {
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

TEST_F(TimelinePanelTest, TakesItsPicture) {
    driver.window().resize(1280, 720);
    open(samplePaths());
    driver.press(Qt::Key_Space);
    QTest::mouseClick(&widget, Qt::LeftButton, {}, middle(0, span(0, 2)));
    driver.press(Qt::Key_F);
    takePictures(driver, "timeline");
}

}  // namespace

}  // namespace et::test
