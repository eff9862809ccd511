// Tests of timeline marks and comparisons: pins, differences, stacked runs, links to other panels.
#include "app/studio/inspector/inspector_panel.h"
#include "app/studio/panel_area.h"
#include "app/studio/timeline/timeline_panel.h"
#include "app/studio/timeline/timeline_pins.h"
#include "etdump/writer.h"
#include "tests/studio/clicks.h"
#include "tests/studio/pictures.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"
#include "visualizers/notes/note_model.h"
#include "visualizers/timeline/timeline_widget.h"
#include "visualizers/toolkit/change_colour.h"

#include <QComboBox>
#include <QMenu>
#include <QTest>
#include <QTextBrowser>
#include <QTreeView>

#include <gtest/gtest.h>

#include <algorithm>

namespace et::test {

namespace {

using studio::rangeIn;
using visualizers::Span;
using visualizers::TickRange;
using visualizers::Timeline;
using visualizers::TimelineWidget;

/// Builds runs of two kernels with the times `first` and `second`.
std::vector<std::byte> twoKernels(std::uint64_t first, std::uint64_t second, std::size_t runs) {
    etdump::TraceWriter writer;
    for (std::uint64_t run = 0; run < runs; ++run) {
        writer.beginRun("Execute");
        const std::uint64_t start = run * 100'000;
        writer.profile("native_call_add.out", {.instruction = 0, .chain = 0}, start, start + first);
        writer.profile("native_call_mul.out", {.instruction = 1, .chain = 0}, start + first,
                       start + first + second);
        writer.profile("Method::execute", {.instruction = 0}, start, start + first + second);
    }
    return writer.finish().value();
}

class TimelineMarksTest : public StudioTest {
  protected:
    TimelineMarksTest() : panel(*driver.window().findChild<studio::TimelinePanel*>()), widget(panel.view()) {}

    void open(const std::vector<std::filesystem::path>& paths) {
        driver.open(paths);
        driver.enterPanel(QStringLiteral("Timeline"));
        settle();
        widget.setFocus();
    }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 30'000));
        QTest::qWait(0);
    }
    [[nodiscard]] const Timeline& timeline(std::size_t layer = 0) const {
        return *widget.content().layer(layer).timeline;
    }
    /// The first span with this name.
    [[nodiscard]] std::pair<std::size_t, Span> spanCalled(std::string_view name,
                                                          std::size_t layer = 0) const {
        for (std::size_t lane = 0; lane < timeline(layer).lanes.size(); ++lane) {
            for (const Span& span : timeline(layer).lanes[lane].spans()) {
                if (timeline(layer).nameOf(span) == name) {
                    return {lane, span};
                }
            }
        }
        ADD_FAILURE() << "no span " << name;
        return {};
    }
    [[nodiscard]] QRectF rectOf(std::string_view name, std::size_t layer = 0) const {
        const auto [lane, span] = spanCalled(name, layer);
        return widget.rectOf(lane, span, layer);
    }
    void click(std::string_view name) {
        QTest::mouseClick(&widget, Qt::LeftButton, {}, rectOf(name).center().toPoint());
    }
    /// Fill colour of a bar, away from its name and frame.
    [[nodiscard]] QRgb colourOf(const QRectF& bar) const {
        return widget.grab().toImage().pixel(static_cast<int>(bar.right()) - 8,
                                             static_cast<int>(bar.top()) + 4);
    }
    [[nodiscard]] visualizers::NoteModel& notes() {
        auto* const rows = driver.window().findChild<QTreeView*>(QStringLiteral("notes"));
        return *qobject_cast<visualizers::NoteModel*>(rows->model());
    }
    [[nodiscard]] visualizers::Selection& selection() { return driver.window().selection(); }
    void showBelow(const QString& text) {
        auto* const box = driver.window().findChild<QComboBox*>(QStringLiteral("timelineOthers"));
        const int place = box->findText(text);
        ASSERT_GE(place, 0) << text.toStdString();
        box->setCurrentIndex(place);
        settle();
    }

    WindowDriver driver;
    studio::TimelinePanel& panel;
    TimelineWidget& widget;
};

TEST(TimelinePins, ANoteNamesARangeOfTicks) {
    EXPECT_EQ(rangeIn("Pinned range of 2 ms, at 1 ms [ticks 100 to 2100]"), (TickRange{100, 2100}));
    EXPECT_EQ(rangeIn("[ticks 1 to 2] and what I think of it: [ticks 5 to 5]"), (TickRange{5, 5}));
    for (const char* const text : {"", "slow", "[ticks ]", "[ticks 1 to ]", "[ticks 2 to 1]", "[ticks 1 to 2",
                                   "[ticks -1 to 2]", "[ticks 99999999999999999999 to 2]"}) {
        EXPECT_FALSE(rangeIn(text)) << text;
    }
}

TEST_F(TimelineMarksTest, APinIsANoteToTheEvent) {
    open({write("small.etdp", smallTrace(3))});
    click("add");
    const auto row = selection().current();
    ASSERT_TRUE(row);
    const QImage before = widget.grab().toImage();
    driver.press(Qt::Key_B, Qt::ControlModifier);
    ASSERT_EQ(notes().notes().size(), 1U);
    EXPECT_TRUE(notes().notes()[0].text.starts_with("Pinned: add")) << notes().notes()[0].text;
    EXPECT_EQ(notes().notes()[0].instruction, core::InstructionId(0));
    ASSERT_EQ(widget.content().pins().size(), 1U);
    EXPECT_EQ(widget.content().pins()[0].row, row);
    EXPECT_NE(widget.grab().toImage(), before) << "it has a flag";
    EXPECT_TRUE(widget.cursor().text().contains(QStringLiteral("note: Pinned")))
        << widget.cursor().text().toStdString();
    driver.press(Qt::Key_B, Qt::ControlModifier);
    EXPECT_TRUE(notes().notes().empty()) << "the second time it goes";
    EXPECT_TRUE(widget.content().pins().empty());
}

TEST_F(TimelineMarksTest, CtrlBInTheInspectorPinsTheSelectedEvent) {
    driver.window().resize(1600, 1000);
    open({write("small.etdp", smallTrace(3))});
    click("add");
    driver.enterPerspective("time");
    auto* const inspector = driver.window().findChild<studio::InspectorPanel*>();
    ASSERT_NE(inspector, nullptr);
    auto* const text = inspector->findChild<QTextBrowser*>();
    ASSERT_TRUE(WindowDriver::onScreen(*text));
    text->setFocus();
    driver.press(Qt::Key_B, Qt::ControlModifier);
    ASSERT_EQ(notes().notes().size(), 1U);
    EXPECT_EQ(notes().notes()[0].instruction, core::InstructionId(0));
}

/// A longer trace in which the operator is at a position where the shorter one has no rows.
TEST_F(TimelineMarksTest, APinIsFoundInTheTraceThatReplacesItsOwn) {
    const auto path = write("small.etdp", smallTrace(3));
    open({path});
    click("add");
    driver.press(Qt::Key_B, Qt::ControlModifier);
    ASSERT_EQ(notes().notes().size(), 1U);
    etdump::TraceWriter longer;
    longer.beginRun("Default");
    longer.profile("Method::init", {.instruction = 0}, 100, 600);
    longer.beginRun("Execute");
    std::uint64_t now = 1'000;
    for (std::int32_t instruction = 5'000; instruction >= 0; --instruction, now += 100) {
        longer.profile(instruction == 0 ? "native_call_add.out" : "native_call_mul.out",
                       {.instruction = instruction, .chain = 0}, now, now + 50);
    }
    longer.profile("Method::execute", {.instruction = 0}, 900, now);
    static_cast<void>(write("small.etdp", longer.finish().value()));
    driver.press(Qt::Key_F5);
    driver.waitUntilIdle();
    // The pin of the shorter trace stays until the longer one is loaded.
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            const auto& pins = widget.content().pins();
            return !pins.empty() && pins[0].row && pins[0].row->event > 4'000;
        },
        10'000));
}

TEST_F(TimelineMarksTest, PinsAreSteppedThroughByTime) {
    open({write("small.etdp", smallTrace(3))});
    const TickRange range{timeline().origin + 2'000'000, timeline().origin + 2'004'000};
    selection().setRange(range);
    driver.press(Qt::Key_B, Qt::ControlModifier);
    selection().setRange(std::nullopt);
    click("add");
    driver.press(Qt::Key_B, Qt::ControlModifier);
    ASSERT_EQ(widget.content().pins().size(), 2U);
    selection().setCurrent(std::nullopt);
    widget.setFocus();
    driver.press(Qt::Key_1);
    driver.press(Qt::Key_BracketRight);
    const bool atRange = selection().range().has_value();
    driver.press(Qt::Key_BracketRight);
    EXPECT_NE(selection().range().has_value(), atRange) << "the other one";
    driver.press(Qt::Key_BracketLeft);
    EXPECT_EQ(selection().range().has_value(), atRange);
    while (!selection().range()) {
        driver.press(Qt::Key_BracketRight);
    }
    EXPECT_EQ(selection().range(), range);
    EXPECT_LE(widget.view().from(), 2'000'000);
    EXPECT_GE(widget.view().to(), 2'004'000);
    EXPECT_LT(widget.view().to() - widget.view().from(), 100'000);
}

TEST_F(TimelineMarksTest, DifferencesToAnotherTraceAreColours) {
    const auto first = write("first.etdp", twoKernels(10'000, 10'000, 3));
    const auto second = write("second.etdp", twoKernels(10'000, 20'000, 3));
    open({first});
    driver.open({second});
    driver.enterPanel(QStringLiteral("Timeline"));
    settle();
    ASSERT_TRUE(widget.content().overlaid());
    widget.setFocus();
    driver.press(Qt::Key_1);
    driver.press(Qt::Key_C);
    ASSERT_TRUE(widget.content().showsDifference());
    const QPalette palette = widget.palette();
    EXPECT_EQ(colourOf(rectOf("mul")), visualizers::changeColour(-0.5, palette).rgb()) << "half as long";
    EXPECT_EQ(colourOf(rectOf("mul", 1)), visualizers::changeColour(1, palette).rgb()) << "twice as long";
    EXPECT_EQ(colourOf(rectOf("add")), visualizers::changeColour(0, palette).rgb());
    click("mul");
    EXPECT_TRUE(widget.cursor().text().contains(QStringLiteral("p50 in the other trace: 20")))
        << widget.cursor().text().toStdString();
    driver.press(Qt::Key_C);
    EXPECT_FALSE(widget.content().showsDifference());
}

TEST_F(TimelineMarksTest, RunsAreStacked) {
    open({write("small.etdp", smallTrace(5))});
    showBelow(QStringLiteral("Below: all runs"));
    const Timeline& stack = timeline(1);
    ASSERT_EQ(stack.stacked, 5U);
    ASSERT_EQ(stack.lanes.size(), 5U);
    for (std::size_t run = 0; run < 5; ++run) {
        EXPECT_TRUE(stack.labels[run].title.starts_with("run " + std::to_string(run + 1) + " · 10."))
            << stack.labels[run].title;
        ASSERT_FALSE(stack.lanes[run].spans().empty());
        EXPECT_EQ(stack.lanes[run].spans()[0].start, 0U) << "each from its start";
    }
    const Span& third = stack.lanes[2].spans()[0];
    QTest::mouseClick(&widget, Qt::LeftButton, {}, widget.rectOf(2, third, 1).center().toPoint());
    ASSERT_TRUE(selection().current());
    EXPECT_TRUE(widget.cursor().text().contains(QStringLiteral("run 3")))
        << widget.cursor().text().toStdString();
}

TEST_F(TimelineMarksTest, AllocationsAreAnAreaBelow) {
    etdump::TraceWriter writer;
    writer.beginRun("Default");
    const auto arena = writer.addAllocator("forward: planned memory 1");
    const auto peak = writer.addAllocator("process: peak resident memory");
    writer.allocation(arena, 1024);
    writer.profile("Method::init", {.instruction = 0}, 100, 600);
    writer.allocation(arena, 3072);
    writer.allocation(peak, 1'000'000);
    writer.beginRun("Execute");
    writer.profile("native_call_add.out", {.instruction = 0, .chain = 0}, 1000, 2000);
    writer.profile("Method::execute", {.instruction = 0}, 1000, 2000);
    open({write("allocations.etdp", writer.finish().value())});
    const auto& counters = widget.content().areas().counters;
    ASSERT_EQ(counters.size(), 1U);
    EXPECT_EQ(counters[0].title, "Allocated so far, 4.00 KiB in total")
        << "the process's peak is no allocation";
    EXPECT_EQ(counters[0].at(0), 1024U);
    EXPECT_EQ(counters[0].at(499), 1024U);
    EXPECT_EQ(counters[0].at(500), 4096U) << "initializing has ended";
    const QImage with = widget.grab().toImage();
    widget.setAreas({});
    EXPECT_NE(widget.grab().toImage(), with);
}

TEST_F(TimelineMarksTest, AnEventLeadsToOtherPanels) {
    open(runSamplePaths());
    driver.press(Qt::Key_1);
    selection().setOperator({.method = "forward", .instruction = core::InstructionId(0)});
    driver.press(Qt::Key_G, Qt::ShiftModifier);
    QTest::qWait(0);
    EXPECT_EQ(driver.window().area().currentId(), "graph");
    driver.enterPanel(QStringLiteral("Timeline"));
    widget.setFocus();
    driver.press(Qt::Key_L, Qt::ShiftModifier);
    QTest::qWait(0);
    EXPECT_EQ(driver.window().area().currentId(), "source");
    driver.enterPanel(QStringLiteral("Timeline"));
    openContextMenu(widget, QPoint(widget.width() / 2, 60));
    const auto menus = panel.findChildren<QMenu*>();
    ASSERT_FALSE(menus.empty());
    EXPECT_EQ(menus.back()->actions().size(), 7);
    menus.back()->close();
}

TEST_F(TimelineMarksTest, TakesItsPicture) {
    driver.window().resize(1280, 720);
    open({write("first.etdp", smallTrace(5))});
    showBelow(QStringLiteral("Below: all runs"));
    widget.setFocus();
    driver.press(Qt::Key_1);
    click("add");
    driver.press(Qt::Key_B, Qt::ControlModifier);
    widget.setFocus();
    driver.press(Qt::Key_C);
    takePictures(driver, "timeline_runs");
}

}  // namespace

}  // namespace et::test
