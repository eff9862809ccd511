// What the pointer is over glows in every view that shows it.
#include "app/studio/graph/graph_room.h"
#include "app/studio/room_area.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/events/event_view.h"
#include "visualizers/graph/graph_canvas.h"
#include "visualizers/memory/plan_widget.h"
#include "visualizers/toolkit/glowing_tree.h"

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
    /// The first event of this name.
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
        labels, [](const inspector::BoxLabel& label) { return label.title.contains("convolution"); });
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

}  // namespace

}  // namespace et::test
