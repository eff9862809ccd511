// Tests that the hovered item is highlighted in every view that shows it.
#include "app/studio/gap/gap_panel.h"
#include "app/studio/graph/graph_panel.h"
#include "app/studio/panel_area.h"
#include "tests/studio/settled.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"
#include "visualizers/events/event_view.h"
#include "visualizers/gap/gap_model.h"
#include "visualizers/gap/gap_plot.h"
#include "visualizers/gap/gap_table.h"
#include "visualizers/gap/gap_view.h"
#include "visualizers/graph/graph_canvas.h"
#include "visualizers/memory/plan_widget.h"
#include "visualizers/toolkit/hover_tree.h"

#include <QPixmap>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>

namespace et::test {

namespace {

using visualizers::EventRef;
using visualizers::GraphCanvas;
using visualizers::HoverTree;

class HoverTest : public StudioTest {
  protected:
    HoverTest() {
        driver.window().resize(1600, 1000);
        driver.open(runSamplePaths());
    }

    GraphCanvas& graph() {
        driver.enterPerspective("structure");
        auto* const panel = driver.window().findChild<studio::GraphPanel*>();
        EXPECT_TRUE(QTest::qWaitFor([panel] { return !panel->busy() && panel->canvas().scene(); }, 30'000));
        QTest::qWait(0);
        panel->canvas().fitAll();
        return panel->canvas();
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

TEST_F(HoverTest, GraphBoxAndTableRowAreHighlightedTogether) {
    GraphCanvas& canvas = graph();
    const auto& labels = canvas.scene()->labels();
    const auto box = std::ranges::find_if(
        labels, [](const inspector::BoxLabel& label) { return label.title == "conv2d"; });
    ASSERT_NE(box, labels.end());
    const QRectF place = canvas.scene()->boxRect(static_cast<std::size_t>(box - labels.begin()));
    QTest::mouseMove(&canvas, canvas.view().toScreen(place.center()).toPoint());
    ASSERT_TRUE(QTest::qWaitFor([&] { return selection().hovered().has_value(); }, 5'000));
    const auto& block = driver.window().opened().blocks()->blocks()[selection().hovered()->block];
    EXPECT_NE(block.events[selection().hovered()->event].name.find("convolution"), std::string_view::npos);
    const auto* const rows = qobject_cast<HoverTree*>(&driver.table());
    EXPECT_TRUE(rows->glowing().isValid());
    EXPECT_TRUE(std::ranges::contains(canvas.marks().glowing, true));

    const QImage before = canvas.grab().toImage();
    selection().setHovered(eventCalled("native_call_mean.out"));
    EXPECT_TRUE(std::ranges::contains(canvas.marks().glowing, true));
    EXPECT_NE(canvas.grab().toImage(), before) << "another box glows";
    selection().setHovered(std::nullopt);
    EXPECT_FALSE(std::ranges::contains(canvas.marks().glowing, true));
}

TEST_F(HoverTest, PlannedTensorIsHighlightedWithItsWriter) {
    driver.enterPerspective("memory");
    auto* const plan = driver.window().findChild<visualizers::PlanWidget*>();
    ASSERT_TRUE(QTest::qWaitFor([plan] { return !plan->boxes().empty(); }, 30'000));
    ASSERT_TRUE(settle(driver.window()));
    const QImage before = plan->grab().toImage();
    selection().setHovered(eventCalled("native_call_convolution.out"));
    EXPECT_NE(plan->grab().toImage(), before);
    selection().setHovered(std::nullopt);
    EXPECT_EQ(plan->grab().toImage(), before);
    const auto box = std::ranges::find_if(plan->boxes(), [plan](const inspector::PlanBox& each) {
        return plan->rectOf(each).left() > plan->plotArea().center().x();
    });
    ASSERT_NE(box, plan->boxes().end());
    QTest::mouseMove(plan, plan->rectOf(*box).center().toPoint());
    EXPECT_TRUE(QTest::qWaitFor([&] { return selection().hovered().has_value(); }, 5'000))
        << "an instruction in the second half writes it";
}

TEST_F(HoverTest, GapPointAndTimelineSpanAreHighlightedTogether) {
    ET_NEEDS_SHARED_DATA();
    const std::string program = (sharedData() / "programs" / "mobilenet_v2_small" / "xnnpack").string();
    driver.open({sharedData() / "traces" / "mobilenet_v2_small_xnnpack" / "trace.etdp", program + ".etrecord",
                 program + ".bpte"});
    driver.enterPerspective("numbers");
    auto* const panel = driver.window().findChild<studio::GapPanel*>();
    panel->setFocus();
    driver.press(Qt::Key_F9);
    ASSERT_TRUE(QTest::qWaitFor([panel] { return !panel->running(); }, 120'000));
    ASSERT_TRUE(settle(driver.window()));
    visualizers::GapPlot& plot = panel->view().plot();
    const std::size_t row = panel->view().table().rows().rowCount() / 2;
    const auto mark = plot.markOf(row);
    ASSERT_TRUE(mark);
    QTest::mouseMove(&plot, mark->toPoint());
    ASSERT_TRUE(QTest::qWaitFor([&] { return selection().hovered().has_value(); }, 5'000))
        << "the event of the operator";
    const EventRef event = *selection().hovered();
    const auto* const rows = qobject_cast<HoverTree*>(&driver.table());
    EXPECT_TRUE(rows->glowing().isValid()) << "in the table of events";
    selection().setHovered(std::nullopt);
    EXPECT_FALSE(plot.glowing());
    selection().setHovered(event);
    EXPECT_EQ(plot.glowing(), row) << "before any event is processed";
}

}  // namespace

}  // namespace et::test
