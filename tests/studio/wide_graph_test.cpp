// Tests that a graph in its initial view fills its pane.
#include "app/studio/graph/graph_panel.h"
#include "tests/studio/settled.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"
#include "visualizers/graph/graph_canvas.h"

#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>

namespace et::test {

namespace {

class WideGraphTest : public StudioTest {
  protected:
    WideGraphTest() : panel(*driver.window().findChild<studio::GraphPanel*>()) {
        qputenv("ET_INSPECT_LAYOUT", ET_LAYOUT_HELPER);
    }
    void openNet() {
        driver.open({sharedData() / "programs" / "mobilenet_v2_small" / "xnnpack.etrecord"});
        driver.enterPerspective("structure");
        settle();
    }
    void settle() {
        ASSERT_TRUE(test::settle(driver.window()));
        ASSERT_TRUE(QTest::qWaitFor([&] { return !panel.busy() && panel.canvas().scene(); }, 30'000));
    }
    void resize(const QSize& size) {
        driver.window().resize(size);
        settle();
    }
    /// Fraction of the canvas that the graph covers.
    [[nodiscard]] double part(Qt::Orientation orientation) {
        const visualizers::PlaneView& view = panel.canvas().view();
        const QRectF seen = view.toScreen(view.content()).intersected(panel.canvas().rect());
        return orientation == Qt::Horizontal ? seen.width() / panel.canvas().width()
                                             : seen.height() / panel.canvas().height();
    }

    WindowDriver driver;
    studio::GraphPanel& panel;
};

TEST_F(WideGraphTest, IsFilledFromLeftToRight) {
    driver.window().resize(1600, 700);
    driver.open(runSamplePaths());
    driver.enterPanel(QStringLiteral("Graph"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !panel.busy() && panel.canvas().scene(); }, 30'000));
    EXPECT_TRUE(panel.canvas().scene()->leftToRight());
}

TEST_F(WideGraphTest, ALongChainFillsPanesOfAnySize) {
    ET_NEEDS_SHARED_DATA();
    driver.window().resize(1024, 700);
    openNet();
    for (const QSize size : {QSize(1920, 1080), QSize(1024, 700), QSize(1920, 1080), QSize(700, 1000)}) {
        resize(size);
        const visualizers::GraphCanvas& canvas = panel.canvas();
        EXPECT_GT(canvas.scene()->layout().rows, 1U) << size.width();
        EXPECT_GE(canvas.view().scale(), 0.699) << "letters can be read at " << size.width();
        EXPECT_GE(part(Qt::Horizontal), 0.7) << size.width();
        EXPECT_GE(part(Qt::Vertical), 0.6) << size.width();
        const QPointF first = canvas.view().toScreen(canvas.scene()->boxRect(0)).center();
        EXPECT_TRUE(QRectF(canvas.rect()).contains(first))
            << "it starts at " << first.x() << ", " << first.y() << " of " << canvas.width() << " x "
            << canvas.height() << ", scale " << canvas.view().scale() << ", rows "
            << canvas.scene()->layout().rows << ", of " << canvas.scene()->layout().width << " x "
            << canvas.scene()->layout().height;
    }
}

/// Masks and residual edges next to its blocks do not force a transformer into one row.
TEST_F(WideGraphTest, ATransformerFillsThePane) {
    ET_NEEDS_SHARED_DATA();
    driver.window().resize(1920, 1080);
    const auto model = sharedData() / "programs" / "bert_tiny";
    driver.open({model / "xnnpack.bpte", model / "xnnpack.etrecord"});
    driver.enterPerspective("structure");
    settle();
    EXPECT_GT(panel.canvas().scene()->layout().rows, 3U);
    EXPECT_GE(panel.canvas().view().scale(), 0.6) << "letters can be read";
    EXPECT_GE(part(Qt::Horizontal), 0.9);
    EXPECT_GE(part(Qt::Vertical), 0.9);
    const auto& scene = *panel.canvas().scene();
    for (std::size_t i = 0; i < scene.layout().nodes.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_FALSE(scene.boxRect(i).intersects(scene.boxRect(j))) << i << " and " << j;
        }
    }
}

TEST_F(WideGraphTest, KeepsTheVisiblePart) {
    ET_NEEDS_SHARED_DATA();
    driver.window().resize(1024, 700);
    openNet();
    visualizers::GraphCanvas& canvas = panel.canvas();
    canvas.setFocus();
    driver.press(Qt::Key_Plus);
    ASSERT_TRUE(canvas.wasMoved());
    const double scale = canvas.view().scale();
    const auto scene = canvas.scene();
    resize(QSize(1920, 1080));
    EXPECT_EQ(canvas.scene(), scene) << "nothing is laid out anew";
    EXPECT_EQ(canvas.view().scale(), scale);
    canvas.fitAll();
    resize(QSize(1024, 700));
    EXPECT_TRUE(canvas.view().visible().contains(canvas.view().content())) << "all of it, as was asked for";
}

}  // namespace

}  // namespace et::test
