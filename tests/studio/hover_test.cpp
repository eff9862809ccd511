// Tests that the hovered item is highlighted in every view that shows it.
#include "app/studio/gap/gap_room.h"
#include "app/studio/graph/graph_room.h"
#include "app/studio/room_area.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"
#include "visualizers/events/event_view.h"
#include "visualizers/gap/gap_model.h"
#include "visualizers/gap/gap_plot.h"
#include "visualizers/gap/gap_view.h"
#include "visualizers/graph/graph_canvas.h"
#include "visualizers/memory/plan_widget.h"
#include "visualizers/toolkit/glowing_tree.h"

#include <QElapsedTimer>
#include <QPixmap>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>

namespace et::test {

namespace {

using visualizers::EventRef;
using visualizers::GlowingTree;
using visualizers::GraphCanvas;

class HoverTest : public StudioTest {
  protected:
    HoverTest() {
        driver.window().resize(1600, 1000);
        driver.open(runSamplePaths());
    }

    GraphCanvas& graph() {
        driver.enterPerspective("structure");
        auto* const room = driver.window().findChild<studio::GraphRoom*>();
        EXPECT_TRUE(QTest::qWaitFor([room] { return !room->busy() && room->canvas().scene(); }, 30'000));
        QTest::qWait(0);
        room->canvas().fitAll();
        return room->canvas();
    }
    [[nodiscard]] visualizers::Selection& selection() { return driver.window().selection(); }
    /// The first event with this name.
    [[nodiscard]] EventRef eventCalled(std::string_view name) {
        const auto& blocks = driver.window().opened().blocks()->blocks();
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const auto found = std::ranges::find(blocks[i].events, name, &inspector::Event::name);
            if (found != blocks[i].events.end()) {
                return {i, static_cast<std::size_t>(found - blocks[i].events.begin())};
            }
        }
        ADD_FAILURE() << "no event " << name;
        return {};
    }

    WindowDriver driver;
};

TEST_F(HoverTest, ABoxOfTheGraphGlowsInTheTableAndBack) {
    GraphCanvas& canvas = graph();
    const auto& labels = canvas.scene()->labels();
    const auto box = std::ranges::find_if(
        labels, [](const inspector::BoxLabel& label) { return label.title == "conv2d"; });
    ASSERT_NE(box, labels.end());
    const QRectF place = canvas.scene()->boxRect(static_cast<std::size_t>(box - labels.begin()));
    QTest::mouseMove(&canvas, canvas.view().toScreen(place.center()).toPoint());
    QTest::qWait(20);
    ASSERT_TRUE(selection().hovered());
    const auto& block = driver.window().opened().blocks()->blocks()[selection().hovered()->block];
    EXPECT_NE(block.events[selection().hovered()->event].name.find("convolution"), std::string_view::npos);
    const auto* const rows = qobject_cast<GlowingTree*>(&driver.table());
    EXPECT_TRUE(rows->glowing().isValid());
    EXPECT_TRUE(std::ranges::contains(canvas.marks().glowing, true));

    const QImage before = canvas.grab().toImage();
    selection().setHovered(eventCalled("native_call_mean.out"));
    EXPECT_TRUE(std::ranges::contains(canvas.marks().glowing, true));
    EXPECT_NE(canvas.grab().toImage(), before) << "another box glows";
    selection().setHovered(std::nullopt);
    EXPECT_FALSE(std::ranges::contains(canvas.marks().glowing, true));
}

TEST_F(HoverTest, ATensorOfThePlanGlowsWithWhatWritesIt) {
    driver.enterPerspective("memory");
    auto* const plan = driver.window().findChild<visualizers::PlanWidget*>();
    ASSERT_TRUE(QTest::qWaitFor([plan] { return !plan->boxes().empty(); }, 30'000));
    QTest::qWait(50);
    const QImage before = plan->grab().toImage();
    selection().setHovered(eventCalled("native_call_convolution.out"));
    EXPECT_NE(plan->grab().toImage(), before);
    selection().setHovered(std::nullopt);
    EXPECT_EQ(plan->grab().toImage(), before);
    const auto box = std::ranges::find_if(plan->boxes(), [plan](const visualizers::PlanBox& each) {
        return plan->rectOf(each).left() > plan->plotArea().center().x();
    });
    ASSERT_NE(box, plan->boxes().end());
    QTest::mouseMove(plan, plan->rectOf(*box).center().toPoint());
    QTest::qWait(20);
    EXPECT_TRUE(selection().hovered()) << "an instruction in the second half writes it";
}

TEST_F(HoverTest, AnOperatorOfTheGapGlowsInTheTimelineAndBack) {
    ET_NEEDS_SHARED_DATA();
    const std::string program = (sharedData() / "programs" / "mobilenet_v2_small" / "xnnpack").string();
    driver.open({sharedData() / "traces" / "mobilenet_v2_small_xnnpack" / "trace.etdp", program + ".etrecord",
                 program + ".bpte"});
    driver.enterPerspective("numbers");
    auto* const room = driver.window().findChild<studio::GapRoom*>();
    room->setFocus();
    driver.press(Qt::Key_F9);
    ASSERT_TRUE(QTest::qWaitFor([room] { return !room->running(); }, 120'000));
    QTest::qWait(50);
    visualizers::GapPlot& plot = room->view().plot();
    const std::size_t row = room->view().model().rowCount() / 2;
    const auto mark = plot.markOf(row);
    ASSERT_TRUE(mark);
    QTest::mouseMove(&plot, mark->toPoint());
    QTest::qWait(20);
    ASSERT_TRUE(selection().hovered()) << "the event of the operator";
    const EventRef event = *selection().hovered();
    const auto* const rows = qobject_cast<GlowingTree*>(&driver.table());
    EXPECT_TRUE(rows->glowing().isValid()) << "in the table of events";
    selection().setHovered(std::nullopt);
    EXPECT_FALSE(plot.glowing());
    QElapsedTimer clock;
    clock.start();
    selection().setHovered(event);
    const qint64 took = clock.elapsed();
    EXPECT_EQ(plot.glowing(), row);
    RecordProperty("hover_ms", static_cast<int>(took));
    EXPECT_LT(took, 16);
}

}  // namespace

}  // namespace et::test
