// Tests of the flame graph: selecting, zooming, inverting, comparing.
#include "app/studio/flame/flame_panel.h"

#include "app/studio/perspectives.h"
#include "tests/studio/pictures.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/generated_trace.h"
#include "visualizers/flame/flame_widget.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

namespace et::test {

namespace {

class FlamePanelTest : public StudioTest {
  protected:
    FlamePanelTest() : panel(*driver.window().findChild<studio::FlamePanel*>()), widget(panel.view()) {}

    void open(const std::vector<std::filesystem::path>& paths) {
        driver.open(paths);
        driver.enterPanel(QStringLiteral("Flame Graph"));
        settle();
        widget.setFocus();
    }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 30'000));
        QTest::qWait(0);
        ASSERT_NE(widget.content(), nullptr);
    }
    [[nodiscard]] std::size_t nodeCalled(const std::string& name) const {
        const auto& nodes = widget.content()->tree().nodes;
        const auto found =
            std::ranges::find(nodes, name, &inspector::events::FlameNode::name) - nodes.begin();
        EXPECT_LT(static_cast<std::size_t>(found), nodes.size()) << name;
        return static_cast<std::size_t>(found);
    }
    void click(std::size_t node) {
        QTest::mouseClick(&widget, Qt::LeftButton, {}, widget.rectOf(node).center().toPoint());
    }
    [[nodiscard]] QComboBox& box(const char* name) {
        return *driver.window().findChild<QComboBox*>(QString::fromLatin1(name));
    }

    WindowDriver driver;
    studio::FlamePanel& panel;
    visualizers::FlameWidget& widget;
};

TEST_F(FlamePanelTest, ShowsTheRunsFirst) {
    open({write("small.etdp", smallTrace(3))});
    EXPECT_EQ(widget.content()->tree().root().name, "Inference");
    EXPECT_EQ(box("flameBlock").count(), 2);
    EXPECT_EQ(box("flameBlock").currentText(), QStringLiteral("Inference"));
    box("flameBlock").setCurrentIndex(0);
    settle();
    EXPECT_EQ(widget.content()->tree().root().name, "Load");
}

TEST_F(FlamePanelTest, ClickSelectsAllOperatorsInANode) {
    open({write("small.etdp", smallTrace(3))});
    box("flameBy").setCurrentIndex(2);
    settle();
    const std::size_t call = nodeCalled("instruction 1");
    click(call);
    EXPECT_EQ(driver.window().selection().events().size(), 2U) << "the call, and what ran inside";
    auto* const path = driver.window().findChild<QLabel*>(QStringLiteral("flamePath"));
    EXPECT_TRUE(path->text().startsWith(QStringLiteral("Inference › Unknown delegate › instruction 1")))
        << path->text().toStdString();
    click(nodeCalled("add"));
    ASSERT_NE(driver.window().selection().currentEvent(), nullptr);
    EXPECT_EQ(driver.window().selection().currentEvent()->name, "native_call_add.out");
}

TEST_F(FlamePanelTest, SelectionOfOtherPanelsIsHighlighted) {
    open({write("small.etdp", smallTrace(3))});
    driver.window().selection().setCurrent(visualizers::EventRef{1, 0});
    ASSERT_TRUE(widget.chosenNode());
    EXPECT_EQ(widget.content()->tree().nodes[*widget.chosenNode()].name, "add");
    const QImage before = widget.grab().toImage();
    driver.window().selection().setHovered(visualizers::EventRef{1, 2});
    EXPECT_NE(widget.grab().toImage(), before) << "what is under the pointer elsewhere glows";
}

TEST_F(FlamePanelTest, ZoomsAndFlips) {
    open({write("small.etdp", smallTrace(3))});
    const std::size_t add = nodeCalled("add");
    click(add);
    driver.press(Qt::Key_F);
    EXPECT_NEAR(widget.rectOf(add).width(), widget.width(), 1);
    driver.press(Qt::Key_Space);
    EXPECT_TRUE(widget.view().isWhole());
    QTest::mouseDClick(&widget, Qt::LeftButton, {}, widget.rectOf(add).center().toPoint());
    EXPECT_NEAR(widget.rectOf(add).width(), widget.width(), 1);
    driver.press(Qt::Key_Space);
    driver.press(Qt::Key_Up);
    EXPECT_EQ(widget.chosenNode(), 0U) << "what is around it";
    EXPECT_EQ(widget.rectOf(0).top(), 0);
    driver.trigger(QStringLiteral("Root at the Bottom"));
    EXPECT_NEAR(widget.rectOf(0).bottom(), widget.height(), 1);
}

TEST_F(FlamePanelTest, SecondTraceColoursNodesByChange) {
    open({write("a.etdp", smallTrace(3))});
    EXPECT_FALSE(widget.content()->tree().root().before);
    driver.window().addTraces({write("b.etdp", smallTrace(9))});
    driver.waitUntilIdle();
    settle();
    ASSERT_TRUE(widget.content()->tree().root().before);
    EXPECT_GT(*widget.content()->tree().root().before, 0);
    box("flameBefore").setCurrentIndex(0);
    settle();
    EXPECT_FALSE(widget.content()->tree().root().before);
}

TEST_F(FlamePanelTest, AMillionEventsPaintAtOnce) {
    const GeneratedTraceFile file(1, 1'000'000);
    open({file.path()});
    driver.window().resize(1920, 1080);
    QTest::qWait(0);
    std::vector<double> milliseconds;
    for (int zoom = 0; zoom < 20; ++zoom) {
        QElapsedTimer clock;
        clock.start();
        const QImage picture = widget.grab().toImage();
        milliseconds.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
        driver.press(Qt::Key_W);
    }
    std::ranges::sort(milliseconds);
    std::printf("flame graph of a million events: slowest frame %.2f ms\n", milliseconds.back());
    RecordProperty("paint_worst_ms", std::to_string(milliseconds.back()));
}

TEST_F(FlamePanelTest, TakesItsPicture) {
    driver.window().resize(1280, 720);
    open(samplePaths());
    click(0);
    takePictures(driver, "flame");
}

}  // namespace

}  // namespace et::test
