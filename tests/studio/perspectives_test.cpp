// Tests of perspectives: the arrangement of panels, and the perspective shown after opening files.
#include "app/studio/perspectives.h"

#include "app/studio/panel_area.h"
#include "app/studio/run/run_panel.h"
#include "app/studio/verify/verify_panel.h"
#include "tests/studio/pictures.h"
#include "tests/studio/settled.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/graph/graph_details_pane.h"

#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>
#include <QPushButton>
#include <QTest>
#include <QTreeView>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::test {

namespace {

using studio::PanelArea;
using studio::PanePlan;
using studio::Perspective;

std::vector<PanePlan> panesOf(const Perspective& plan) {
    std::vector<PanePlan> panes = plan.centre;
    panes.insert(panes.end(), plan.right.begin(), plan.right.end());
    panes.push_back(plan.left);
    panes.push_back(plan.bottom);
    return panes;
}

class PerspectivesTest : public StudioTest {
  protected:
    PerspectivesTest() { qputenv("ET_INSPECT_LAYOUT", ET_LAYOUT_HELPER); }

    [[nodiscard]] PanelArea& area() { return driver.window().area(); }
    [[nodiscard]] std::string_view current() { return area().perspective().id; }
    [[nodiscard]] const PanelArea::Entry& entry(std::string_view id) {
        return *std::ranges::find_if(area().entries(),
                                     [id](const PanelArea::Entry& each) { return each.info->id == id; });
    }
    [[nodiscard]] bool onScreen(std::string_view id) { return WindowDriver::onScreen(*entry(id).panel); }

    WindowDriver driver;
};

TEST(Perspectives, NamePanelsOnceEach) {
    std::set<std::string_view> ids;
    for (const Perspective& plan : studio::perspectives()) {
        EXPECT_TRUE(ids.insert(plan.id).second) << plan.id;
        std::set<std::string_view> seen;
        for (const PanePlan& pane : panesOf(plan)) {
            for (const std::string_view panel : pane.panels) {
                EXPECT_TRUE(std::ranges::contains(studio::panels(), panel, &studio::PanelInfo::id)) << panel;
                EXPECT_TRUE(seen.insert(panel).second) << panel << " twice in " << plan.id;
            }
        }
    }
}

/// Records the dock layout of a window when the pointer first leaves it.
class LeaveWatch : public QObject {
  public:
    explicit LeaveWatch(QMainWindow& of) : QObject(&of), window(of) { of.installEventFilter(this); }

    bool eventFilter(QObject* receiver, QEvent* event) override {
        if (event->type() == QEvent::HoverLeave && states.isEmpty()) {
            states.append(window.saveState());
        }
        return QObject::eventFilter(receiver, event);
    }

    QList<QByteArray> states;  ///< layout at the first time

  private:
    QMainWindow& window;
};

TEST_F(PerspectivesTest, ASeparatorUnderThePointerIsLetGoBeforePanelsMove) {
    driver.open({write("a.etdp", smallTrace(3))});
    QWindow* const window = driver.window().windowHandle();
    const auto isOnSeparator = [this] {
        return area().cursor().shape() == Qt::SplitHCursor || area().cursor().shape() == Qt::SplitVCursor;
    };
    for (int x = 2; x < area().width() && !isOnSeparator(); x += 2) {
        QTest::mouseMove(window, area().mapTo(&driver.window(), QPoint(x, area().height() / 3)));
    }
    ASSERT_TRUE(isOnSeparator());
    const QByteArray before = area().saveState();
    LeaveWatch watch(area());
    driver.press(Qt::Key_6, Qt::ControlModifier);
    EXPECT_NE(current(), "time");
    EXPECT_EQ(watch.states, QList<QByteArray>{before});
    EXPECT_FALSE(isOnSeparator());
}

TEST_F(PerspectivesTest, FilesOpenInTheirPerspective) {
    driver.open({write("a.etdp", smallTrace(3))});
    EXPECT_EQ(current(), "time");
    driver.enterPerspective("structure");
    driver.press(Qt::Key_F5);
    driver.waitUntilIdle();
    EXPECT_EQ(current(), "structure") << "nothing else is open";
    driver.window().addTraces({write("b.etdp", smallTrace(5))});
    driver.waitUntilIdle();
    EXPECT_EQ(current(), "change");
}

TEST_F(PerspectivesTest, HaveTheirPanelsOnScreen) {
    // In a low window, the drawer of Numbers is hidden (small_window_test.cpp).
    driver.window().resize(1600, 1000);
    driver.open(runSamplePaths());
    for (const Perspective& plan : studio::perspectives()) {
        driver.enterPerspective(plan.id);
        QTest::qWait(0);
        for (const PanePlan& pane : panesOf(plan)) {
            if (!pane.panels.empty()) {
                EXPECT_EQ(onScreen(pane.panels.front()), !pane.folded)
                    << pane.panels.front() << " in " << plan.id;
            }
        }
        const auto planned = panesOf(plan);
        for (const PanelArea::Entry& each : area().entries()) {
            const bool has = std::ranges::any_of(planned, [&](const PanePlan& pane) {
                return std::ranges::contains(pane.panels, std::string_view(each.info->id));
            });
            EXPECT_TRUE(has || !onScreen(each.info->id)) << each.info->id << " in " << plan.id;
        }
    }
}

TEST_F(PerspectivesTest, TheGraphLeavesDetailsToAnInspectorBehindATab) {
    driver.open(runSamplePaths());
    auto* const details = driver.window().findChild<visualizers::GraphDetailsPane*>();
    const auto shows = [&](bool wanted) {
        return QTest::qWaitFor(
            [&] { return onScreen("graph") && WindowDriver::onScreen(*details) == wanted; }, 30'000);
    };
    driver.window().resize(1600, 1000);
    driver.enterPerspective("lab");
    EXPECT_TRUE(shows(true)) << "no inspector here";
    driver.enterPerspective("debug");
    EXPECT_TRUE(shows(false));
    EXPECT_TRUE(onScreen("source") && !onScreen("inspector"));
}

TEST_F(PerspectivesTest, CanShowAdditionalPanels) {
    driver.open(runSamplePaths());
    driver.enterPerspective("time");
    driver.window().findChild<QAction*>(QStringLiteral("panel/gap"))->trigger();
    QTest::qWait(0);
    EXPECT_TRUE(onScreen("gap"));
    EXPECT_TRUE(onScreen("events"));
    driver.enterPerspective("structure");
    EXPECT_FALSE(onScreen("gap"));
}

TEST_F(PerspectivesTest, FoldAndShowOnePanelAlone) {
    driver.open(runSamplePaths());
    driver.enterPerspective("time");
    EXPECT_TRUE(onScreen("events"));
    driver.press(Qt::Key_J, Qt::ControlModifier);
    QTest::qWait(0);
    EXPECT_FALSE(onScreen("events"));
    driver.press(Qt::Key_J, Qt::ControlModifier);
    QTest::qWait(0);
    EXPECT_TRUE(onScreen("events"));
    area().enter(*entry("timeline").panel);
    driver.press(Qt::Key_M, Qt::ControlModifier);
    QTest::qWait(0);
    EXPECT_FALSE(onScreen("events"));
    EXPECT_TRUE(onScreen("timeline"));
    driver.press(Qt::Key_M, Qt::ControlModifier);
    QTest::qWait(0);
    EXPECT_TRUE(onScreen("events"));
}

/// F9 starts the panel in front in the centre, wherever the focus is; only buttons of this panel name the
/// key.
TEST_F(PerspectivesTest, F9HasOneTargetWrittenOnItsButton) {
    driver.window().resize(1280, 800);
    driver.open(runSamplePaths());
    for (const auto& [perspective, target] :
         {std::pair("numbers", "gap"), std::pair("run", "run"), std::pair("lab", "lab")}) {
        driver.enterPerspective(perspective);
        ASSERT_TRUE(settle(driver.window()));
        int buttons = 0;
        for (const auto* const button : driver.window().findChildren<QPushButton*>()) {
            if (WindowDriver::onScreen(*button) && button->text().contains(QStringLiteral("(F9)"))) {
                ++buttons;
                EXPECT_TRUE(entry(target).panel->isAncestorOf(button))
                    << button->text().toStdString() << " in " << perspective;
            }
        }
        EXPECT_GE(buttons, 1) << perspective;
    }
    driver.enterPerspective("run");
    ASSERT_TRUE(settle(driver.window()));
    driver.tests().tree().setFocus();
    EXPECT_TRUE(driver.tests().tree().hasFocus());
    driver.press(Qt::Key_F9);
    EXPECT_FALSE(driver.tests().running()) << "a tab below the centre does not get the key";
    auto& run = dynamic_cast<studio::RunPanel&>(*entry("run").panel);
    EXPECT_EQ(run.runs().size(), 1U);
    ASSERT_TRUE(QTest::qWaitFor([&run] { return !run.running(); }, 60'000));
}

TEST_F(PerspectivesTest, EachTakesItsPicture) {
    driver.open(runSamplePaths());
    for (const Perspective& plan : studio::perspectives()) {
        driver.enterPerspective(plan.id);
        ASSERT_TRUE(settle(driver.window()));
        takePictures(driver, std::string("perspective_") + plan.id);
    }
}

}  // namespace

}  // namespace et::test
