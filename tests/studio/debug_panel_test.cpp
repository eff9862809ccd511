// Tests of the debugger in the window. The process is et-inspect, or a script that answers with recorded
// lines where et-inspect would have to fail.
#include "app/studio/debug/debug_panel.h"

#include "app/studio/debug/debug_console.h"
#include "app/studio/debug/debug_lists.h"
#include "app/studio/debug/debug_value_pane.h"
#include "app/studio/graph/graph_panel.h"
#include "app/studio/memory/memory_panel.h"
#include "app/studio/panel_area.h"
#include "app/studio/source/source_panel.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/debug/time_slider.h"
#include "visualizers/graph/graph_canvas.h"
#include "visualizers/memory/memory_view.h"
#include "visualizers/toolkit/report_table.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace et::test {

namespace {

/// Answers like et-inspect debug for a method of five instructions. "crash" kills it, "hang" stops it,
/// "nonsense" is no JSON.
constexpr const char* recordedAnswers = R"(#!/bin/sh
at=0
reason=step
stop() {
    echo "{\"stop\": {\"reason\": \"$1\", \"execution\": 0, \"instruction\": $at, \"node\": null, \"operator\": \"aten.relu.out\", \"debug_handles\": [5], \"module\": \"stem\", \"source\": null, \"when\": \"before\", \"method\": \"forward\", \"chain\": 0, \"instructions\": 5, \"message\": \"\"}}"
}
while read -r command rest; do
    case "$command" in
        start) at=0; stop start ;;
        next) at=$((at + 1)); stop step ;;
        reverse-next) at=$((at - 1)); stop step ;;
        jump) at=${rest#*:}; stop step ;;
        continue) exec kill -SEGV $$ ;;
        finish) exec sleep 1000 ;;
        step) echo nonsense ;;
        break) echo "{\"breakpoint\": {\"id\": 1, \"location\": \"$rest\", \"hits\": 0, \"ignore\": 0, \"enabled\": true, \"instructions\": [{\"method\": \"forward\", \"instruction\": 2, \"node\": null}]}}" ;;
        print) echo "{\"error\": {\"code\": \"NotFound\", \"message\": \"no such value: $rest\"}}" ;;
        info)
            case "$rest" in
                executions) echo '{"info": {"kind": "executions", "executions": [{"execution": 0, "method": "forward", "instructions": 5, "complete": false}]}}' ;;
                hits) echo '{"info": {"kind": "hits", "hits": [{"watchpoint": 1, "execution": 0, "instruction": 3}]}}' ;;
                *) echo '{"info": {"kind": "breakpoints", "breakpoints": [], "watchpoints": []}}' ;;
            esac ;;
        *) echo '{"info": {"kind": "list", "instructions": []}}' ;;
    esac
done
)";

class DebugPanelTest : public StudioTest {
  protected:
    DebugPanelTest() : panel(*driver.window().findChild<studio::DebugPanel*>()) {
        qputenv("ET_INSPECT_LAYOUT", ET_LAYOUT_HELPER);
        driver.window().resize(1600, 1000);
    }

    void open() {
        driver.open(runSamplePaths());
        driver.enterPerspective("debug");
        QTest::qWait(0);
    }
    void useAnswers() {
        const auto script = write("script", std::string_view(recordedAnswers));
        std::filesystem::permissions(script, std::filesystem::perms::owner_all);
        driver.useProgram(script);
    }
    /// Starts with F9, and waits for the first instruction.
    void start() {
        driver.press(Qt::Key_F9);
        waitUntilStopped();
        ASSERT_TRUE(panel.session().position()) << problem().toStdString();
    }
    void waitUntilStopped() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 60'000)) << "no answer";
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        driver.press(key, modifiers);
        waitUntilStopped();
    }
    [[nodiscard]] std::int64_t instruction() { return panel.session().position()->instruction; }
    [[nodiscard]] QString problem() {
        return panel.findChild<QLabel*>(QStringLiteral("debugProblem"))->text();
    }
    template <class W>
    [[nodiscard]] W& field(const char* name) {
        return *panel.findChild<W*>(QLatin1StringView(name));
    }
    [[nodiscard]] QAction& menuAction(const QString& text) {
        for (const QAction* const menu : driver.window().menuBar()->actions()) {
            if (menu->text() == QStringLiteral("&Debug")) {
                for (QAction* const each : menu->menu()->actions()) {
                    if (each->text().remove(u'&') == text) {
                        return *each;
                    }
                }
            }
        }
        ADD_FAILURE() << "no command " << text.toStdString();
        return *driver.window().menuBar()->actions().front();
    }

    WindowDriver driver;
    studio::DebugPanel& panel;
};

TEST_F(DebugPanelTest, KeysBelongToTheDebuggerWhileItIsVisible) {
    open();
    EXPECT_EQ(menuAction(QStringLiteral("Continue")).shortcut(), QKeySequence(Qt::Key_F5));
    driver.enterPerspective("structure");
    EXPECT_TRUE(menuAction(QStringLiteral("Continue")).shortcut().isEmpty());
    driver.press(Qt::Key_F5);  // reloads
    driver.waitUntilIdle();
    EXPECT_FALSE(panel.session().running());
    driver.enterPerspective("debug");
    EXPECT_EQ(menuAction(QStringLiteral("Step Back")).shortcut(), QKeySequence(Qt::SHIFT | Qt::Key_F10));
    EXPECT_FALSE(menuAction(QStringLiteral("Next")).isEnabled()) << "nothing runs";
    EXPECT_TRUE(menuAction(QStringLiteral("Start Debugging")).isEnabled());
}

TEST_F(DebugPanelTest, StepsForwardsAndBackwards) {
    open();
    useAnswers();
    start();
    EXPECT_EQ(panel.positionLine(), QStringLiteral("execution 0, instruction 0: aten.relu.out"));
    press(Qt::Key_F10);
    press(Qt::Key_F10);
    EXPECT_EQ(panel.positionLine(), QStringLiteral("execution 0, instruction 2: aten.relu.out"));
    EXPECT_EQ(driver.window().selection().currentOperator()->instruction, core::InstructionId(2))
        << "all panels follow";
    press(Qt::Key_F10, Qt::ShiftModifier);
    EXPECT_EQ(instruction(), 1);
    EXPECT_EQ(panel.slider().hits().size(), 1U);
    const QPoint fourth(static_cast<int>(panel.slider().xOf({0, 4})), panel.slider().height() / 2);
    QTest::mouseClick(&panel.slider(), Qt::LeftButton, {}, fourth);
    waitUntilStopped();
    EXPECT_EQ(instruction(), 4);
    panel.slider().setFocus();
    press(Qt::Key_Left);
    EXPECT_EQ(instruction(), 3);
    EXPECT_TRUE(panel.slider().spokenValue().contains(QStringLiteral("instruction 3")));
}

TEST_F(DebugPanelTest, ACrashEndsTheRunAndShowsWhereItWas) {
    open();
    useAnswers();
    start();
    press(Qt::Key_F10);
    driver.press(Qt::Key_F5);
    ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.session().running(); }, 60'000));
    EXPECT_TRUE(problem().contains(QStringLiteral("crashed"))) << problem().toStdString();
    EXPECT_EQ(panel.positionLine(), QStringLiteral("execution 0, instruction 1: aten.relu.out"));
    ASSERT_TRUE(driver.window().debugState().point());
    EXPECT_EQ(driver.window().debugState().point()->place.instruction, core::InstructionId(1));
    start();
    EXPECT_EQ(instruction(), 0) << "started again";
}

TEST_F(DebugPanelTest, AHangAndNonsenseEndTheProcess) {
    open();
    useAnswers();
    start();
    driver.press(Qt::Key_F11, Qt::ShiftModifier);
    EXPECT_TRUE(panel.session().executing());
    EXPECT_FALSE(menuAction(QStringLiteral("Next")).isEnabled());
    driver.press(Qt::Key_Period, Qt::ControlModifier);
    ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.session().running(); }, 60'000));
    start();
    driver.press(Qt::Key_F11);
    ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.session().running(); }, 60'000));
    EXPECT_TRUE(problem().contains(QStringLiteral("invalid answer: nonsense"))) << problem().toStdString();
}

TEST_F(DebugPanelTest, ReportsAMissingProgram) {
    open();
    driver.useProgram(folder() / "missing");
    driver.press(Qt::Key_F9);
    ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.session().running(); }, 60'000));
    EXPECT_TRUE(problem().contains(QStringLiteral("cannot start"))) << problem().toStdString();
}

TEST_F(DebugPanelTest, BreakpointsAreKeptForTheNextRun) {
    open();
    useAnswers();
    field<QTabWidget>("debugLists").setCurrentWidget(&panel.triggers());
    QTest::keyClicks(&field<QLineEdit>("debugWhere"), QStringLiteral("aten.relu.out"));
    QTest::mouseClick(&field<QPushButton>("debugAdd"), Qt::LeftButton);
    const auto& all = panel.session().triggers().all();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all.front().id, 0) << "no process yet";
    useAnswers();
    driver.press(Qt::Key_F9);
    ASSERT_TRUE(QTest::qWaitFor(
        [this] {
            return driver.window().debugState().at(
                       {.method = "forward", .instruction = core::InstructionId(2)}) != nullptr;
        },
        60'000));
}

}  // namespace

}  // namespace et::test
