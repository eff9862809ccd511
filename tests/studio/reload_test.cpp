// Tests that F5 reloads the open files and keeps the view.
#include "app/studio/gap/gap_panel.h"
#include "app/studio/graph/graph_panel.h"
#include "app/studio/memory/memory_panel.h"
#include "app/studio/timeline/timeline_panel.h"
#include "inspector/numeric_gap/gap_report.h"
#include "tests/studio/clicks.h"
#include "tests/studio/made_up_gap.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/gap/gap_view.h"
#include "visualizers/graph/graph_canvas.h"
#include "visualizers/timeline/timeline_widget.h"

#include <QComboBox>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

namespace et::test {

namespace {

using visualizers::GraphCanvas;
using visualizers::GraphScene;
using visualizers::TickRange;

class ReloadTest : public StudioTest {
  protected:
    template <class R>
    [[nodiscard]] R& panel() {
        return *driver.window().findChild<R*>();
    }
    template <class R>
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !panel<R>().busy(); }, 60'000)) << "never there";
        QTest::qWait(0);
    }
    void reload() {
        const auto before = driver.window().opened().session();
        driver.press(Qt::Key_F5);
        driver.waitUntilIdle();
        ASSERT_NE(driver.window().opened().session(), before);
    }
    [[nodiscard]] visualizers::Selection& selection() { return driver.window().selection(); }

    WindowDriver driver;
};

class TimelineReloadTest : public ReloadTest {
  protected:
    void open(std::size_t runs) {
        driver.open({write("a.etdp", smallTrace(runs))});
        driver.enterPanel(QStringLiteral("Timeline"));
        settle<studio::TimelinePanel>();
        widget().setFocus();
    }
    void reloadAs(std::size_t runs) {
        std::filesystem::rename(write("new.etdp", smallTrace(runs)), folder() / "a.etdp");
        reload();
        settle<studio::TimelinePanel>();
    }
    [[nodiscard]] visualizers::TimelineWidget& widget() { return panel<studio::TimelinePanel>().view(); }
};

TEST_F(TimelineReloadTest, KeepsTheVisibleRange) {
    open(3);
    for (int i = 0; i < 4; ++i) {
        driver.press(Qt::Key_W);
    }
    driver.press(Qt::Key_D);
    const double from = widget().view().from();
    const double to = widget().view().to();
    ASSERT_FALSE(widget().view().isWhole());
    reloadAs(9);
    EXPECT_GT(widget().view().length(), 8e6) << "the new file";
    EXPECT_NEAR(widget().view().from(), from, 1);
    EXPECT_NEAR(widget().view().to(), to, 1);
    // A different file gets a new timeline.
    driver.trigger(QStringLiteral("Close"));
    driver.open({write("c.etdp", smallTrace(2))});
    settle<studio::TimelinePanel>();
    EXPECT_LT(widget().view().to(), 20'000) << "its first run";
}

TEST_F(TimelineReloadTest, FullRangeStaysFull) {
    open(3);
    driver.press(Qt::Key_Space);
    reloadAs(9);
    EXPECT_TRUE(widget().view().isWhole());
    EXPECT_GT(widget().view().to(), 8e6);
}

TEST_F(TimelineReloadTest, KeepsTheRangeWhereTheTraceStillGoes) {
    open(3);
    const TickRange range{2'006'000, 2'007'000};
    selection().setRange(range);
    reloadAs(9);
    EXPECT_EQ(selection().range(), range);
    reloadAs(1);
    EXPECT_EQ(selection().range(), std::nullopt) << "nothing happens there any more";
}

TEST_F(ReloadTest, TheMemoryPlanKeepsItsZoomAndPlan) {
    driver.open(runSamplePaths());
    driver.enterPanel(QStringLiteral("Memory"));
    settle<studio::MemoryPanel>();
    auto& picture = panel<studio::MemoryPanel>().view().picture();
    auto* const plans = driver.window().findChild<QComboBox*>(QStringLiteral("memoryPlan"));
    ASSERT_GT(plans->count(), 1);
    picture.setFocus();
    plans->setCurrentIndex(1);
    const QString plan = plans->currentText();
    picture.setFocus();
    driver.press(Qt::Key_W);
    driver.press(Qt::Key_W);
    driver.press(Qt::Key_W, Qt::ShiftModifier);
    const visualizers::PlanWindow before = picture.window();
    ASSERT_FALSE(before.x.isWhole());
    ASSERT_FALSE(before.y.isWhole());
    reload();
    settle<studio::MemoryPanel>();
    EXPECT_EQ(plans->currentText(), plan);
    EXPECT_NEAR(picture.window().x.from(), before.x.from(), 1e-6);
    EXPECT_NEAR(picture.window().x.to(), before.x.to(), 1e-6);
    EXPECT_NEAR(picture.window().y.from(), before.y.from(), 1e-6);
    EXPECT_NEAR(picture.window().y.to(), before.y.to(), 1e-6);
}

TEST_F(ReloadTest, TheMemoryPlanOfAnotherProgramIsShownWhole) {
    driver.open(runSamplePaths());
    driver.enterPanel(QStringLiteral("Memory"));
    settle<studio::MemoryPanel>();
    auto& picture = panel<studio::MemoryPanel>().view().picture();
    picture.setFocus();
    driver.press(Qt::Key_W);
    const auto program = driver.window().opened().session()->files.program;
    std::filesystem::copy_file(program, folder() / "other.pte");
    driver.trigger(QStringLiteral("Close"));
    driver.open({folder() / "other.pte"});
    settle<studio::MemoryPanel>();
    EXPECT_TRUE(picture.window().x.isWhole());
}

class GraphReloadTest : public ReloadTest {
  protected:
    GraphReloadTest() : canvas(panel<studio::GraphPanel>().canvas()) {
        qputenv("ET_INSPECT_LAYOUT", ET_LAYOUT_HELPER);
    }
    /// Opens a graph with nested modules.
    void open() {
        driver.open(runSamplePaths());
        driver.enterPanel(QStringLiteral("Graph"));
        settle<studio::GraphPanel>();
        auto* const box = panel<studio::GraphPanel>().findChild<QComboBox*>(QStringLiteral("graphChoice"));
        const int place = box->findText(QStringLiteral("Edge graph: forward"));
        ASSERT_GE(place, 0);
        chooseItem(*box, place);
        settle<studio::GraphPanel>();
        ASSERT_TRUE(canvas.scene());
        ASSERT_GT(scene().graph().groups().size(), 1U);
        canvas.setFocus();
    }
    [[nodiscard]] const GraphScene& scene() const { return *canvas.scene(); }
    [[nodiscard]] std::set<std::string> openGroups() const {
        std::set<std::string> names;
        for (const core::GraphGroupId group : scene().diagram().open) {
            names.insert(visualizers::pathOf(scene().graph(), group));
        }
        return names;
    }
    [[nodiscard]] QPointF pixelOf(std::size_t box) const {
        return canvas.view().toScreen(scene().boxRect(box).center());
    }
    /// Position relative to the centre of the canvas, which does not change when a bar above it appears or
    /// disappears.
    [[nodiscard]] QPointF fromMiddle(std::size_t box) const {
        return pixelOf(box) - QRectF(canvas.rect()).center();
    }

    GraphCanvas& canvas;
};

TEST_F(GraphReloadTest, KeepsOpenGroupsPlaceAndChoice) {
    open();
    driver.press(Qt::Key_BracketLeft, Qt::ControlModifier);
    settle<studio::GraphPanel>();
    ASSERT_TRUE(openGroups().empty());
    canvas.fitAll();
    const auto& boxes = scene().diagram().boxes;
    const auto folded =
        std::ranges::find(boxes, inspector::DiagramBox::Kind::Group, &inspector::DiagramBox::kind);
    ASSERT_NE(folded, boxes.end());
    const std::string name = scene().graph().group(core::GraphGroupId(folded->id)).name;
    const auto at = static_cast<std::size_t>(folded - boxes.begin());
    QTest::mouseDClick(&canvas, Qt::LeftButton, {}, pixelOf(at).toPoint());
    settle<studio::GraphPanel>();
    const std::set<std::string> opened = openGroups();
    ASSERT_FALSE(opened.empty()) << name;
    // One of its nodes, zoomed in.
    const auto node = std::ranges::find_if(scene().diagram().boxes, [](const inspector::DiagramBox& box) {
        return box.kind == inspector::DiagramBox::Kind::Node;
    });
    ASSERT_NE(node, scene().diagram().boxes.end());
    const auto place = static_cast<std::size_t>(node - scene().diagram().boxes.begin());
    canvas.fitRect(scene().boxRect(place));
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, pixelOf(place).toPoint());
    canvas.panBy(canvas.panPart, 0);
    const std::string title = scene().labels()[place].title;
    const double scale = canvas.view().scale();
    const QPointF pixel = fromMiddle(place);
    const auto* const before = &scene().graph();

    reload();
    settle<studio::GraphPanel>();
    ASSERT_TRUE(canvas.scene());
    EXPECT_NE(&scene().graph(), before) << "read again";
    EXPECT_EQ(openGroups(), opened);
    ASSERT_TRUE(canvas.currentBox());
    EXPECT_EQ(scene().labels()[*canvas.currentBox()].title, title);
    EXPECT_NEAR(canvas.view().scale(), scale, 1e-6);
    EXPECT_NEAR(fromMiddle(*canvas.currentBox()).x(), pixel.x(), 1);
    EXPECT_NEAR(fromMiddle(*canvas.currentBox()).y(), pixel.y(), 1);
}

TEST_F(GraphReloadTest, KeepsChangesReceivedWhileHidden) {
    open();
    driver.press(Qt::Key_BracketRight, Qt::ControlModifier);
    settle<studio::GraphPanel>();
    const std::set<std::string> opened = openGroups();
    canvas.zoomIn();
    const double scale = canvas.view().scale();
    driver.enterPanel(QStringLiteral("Events"));
    reload();
    reload();
    driver.enterPanel(QStringLiteral("Graph"));
    settle<studio::GraphPanel>();
    EXPECT_EQ(openGroups(), opened);
    EXPECT_NEAR(canvas.view().scale(), scale, 1e-6);
}

TEST_F(ReloadTest, TheGapKeepsItsRow) {
    driver.open(runSamplePaths());
    auto report = inspector::readGapJson(madeUpGap());
    ASSERT_TRUE(report) << report.error().toString();
    const auto gap = std::make_shared<inspector::GapReport>(*std::move(report));
    driver.window().results().setGap(gap);
    driver.enterPanel(QStringLiteral("Operator Errors"));
    auto& view = panel<studio::GapPanel>().view();
    view.setCurrentRow(2);
    const std::vector handles = gap->rows[2].referenceHandles;
    ASSERT_TRUE(std::ranges::equal(selection().currentHandles(), handles));
    reload();
    EXPECT_EQ(view.currentRow(), 2U);
    EXPECT_TRUE(std::ranges::equal(selection().currentHandles(), handles)) << "and other panels show it";
}

}  // namespace

}  // namespace et::test
