#pragma once

#include "app/studio/debug/debug_lists.h"
#include "app/studio/debug/debug_panel.h"
#include "app/studio/debug/debug_value_pane.h"
#include "app/studio/graph/graph_panel.h"
#include "app/studio/source/source_panel.h"
#include "tests/studio/clicks.h"
#include "tests/studio/settled.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/graph/graph_canvas.h"
#include "visualizers/memory/memory_view.h"
#include "visualizers/memory/plan_widget.h"
#include "visualizers/toolkit/report_table.h"

#include <QAction>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QTabWidget>
#include <QTest>
#include <QTreeView>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace et::test {

/// Answers like et-inspect debug for a method of five instructions. "crash" kills it, "hang" stops it,
/// "nonsense" is no JSON.
inline constexpr const char* recordedAnswers = R"(#!/bin/sh
at=0
reason=step
stop() {
    echo "{\"stop\": {\"reason\": \"$1\", \"execution\": 0, \"instruction\": $at, \"step\": $at, \"node\": null, \"operator\": \"aten.relu.out\", \"debug_handles\": [5], \"module\": \"stem\", \"source\": null, \"when\": \"before\", \"method\": \"forward\", \"chain\": 0, \"instructions\": 5, \"message\": \"\"}}"
}
while read -r command rest; do
    case "$command" in
        start) at=0; stop start ;;
        next) at=$((at + 1)); stop step ;;
        reverse-next) at=$((at - 1)); stop watchpoint ;;
        jump) at=${rest#*:}; stop step ;;
        continue) exec kill -SEGV $$ ;;
        finish) exec sleep 1000 ;;
        step) echo nonsense ;;
        break) echo "{\"breakpoint\": {\"id\": 1, \"location\": \"$rest\", \"hits\": 0, \"ignore\": 0, \"enabled\": true, \"instructions\": [{\"method\": \"forward\", \"instruction\": 2, \"node\": null}]}}" ;;
        print) echo "{\"error\": {\"code\": \"NotFound\", \"message\": \"no such value: $rest\"}}" ;;
        info)
            case "$rest" in
                executions) echo '{"info": {"kind": "executions", "executions": [{"execution": 0, "method": "forward", "steps": null}]}}' ;;
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

    void open() { open(runSamplePaths()); }
    void open(const std::vector<std::filesystem::path>& paths) {
        driver.open(paths);
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
    [[nodiscard]] std::int64_t instruction() { return panel.session().position()->step; }
    [[nodiscard]] bool breaksAt(core::InstructionId instruction) {
        const visualizers::OperatorRef place{.method = "forward", .instruction = instruction};
        return std::ranges::any_of(
            driver.window().debugState().breakpoints(),
            [&](const visualizers::Breakpoint& each) { return std::ranges::contains(each.places, place); });
    }
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

/// With et-inspect; by default, with the sample conv_net.
class RealDebugTest : public DebugPanelTest {
  protected:
    RealDebugTest()
        : canvas(driver.window().findChild<studio::GraphPanel*>()->canvas()),
          code(driver.window().findChild<studio::SourcePanel*>()->view().code()),
          plan(driver.window().findChild<visualizers::MemoryView*>()->picture()) {}

    void openAll() { openAll(runSamplePaths()); }
    void openAll(const std::vector<std::filesystem::path>& paths) {
        open(paths);
        ASSERT_TRUE(settle(driver.window()));
        ASSERT_TRUE(canvas.scene());
    }
    /// Steps until the instruction has a Python line; returns the line.
    std::int64_t stepToALine() {
        for (int i = 0; i < 20 && panel.session().position()->point.line == 0; ++i) {
            press(Qt::Key_F10);
        }
        return panel.session().position()->point.line;
    }
    void clickGutter(std::int64_t line) {
        code.showLine(line);
        QTest::mouseClick(&code.gutter(), Qt::LeftButton, {},
                          QPoint(5, static_cast<int>(code.lineRect(line).center().y())));
        waitUntilStopped();
    }
    /// The box of an instruction in the graph of the program.
    [[nodiscard]] std::size_t boxOf(core::InstructionId wanted) {
        const auto& nodes = canvas.scene()->graph().nodes();
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const auto box = canvas.scene()->boxOf(core::GraphNodeId(static_cast<std::uint32_t>(i)));
            if (nodes[i].instruction == wanted && box) {
                return *box;
            }
        }
        ADD_FAILURE() << "no box of instruction " << wanted.value;
        return 0;
    }
    void clickBox(std::size_t box) {
        canvas.fitRect(canvas.scene()->boxRect(box));
        QTest::mouseClick(&canvas, Qt::LeftButton, {},
                          canvas.view().toScreen(canvas.scene()->boxRect(box).center()).toPoint());
    }
    void type(const char* name, const QString& text) {
        auto& line = field<QLineEdit>(name);
        line.setFocus();
        QTest::keyClicks(&line, text);
        QTest::keyClick(&line, Qt::Key_Return);
        waitUntilStopped();
    }
    void showList(QWidget& list) { field<QTabWidget>("debugLists").setCurrentWidget(&list); }
    /// Selects the value whose type begins with this text, and waits until its elements are shown.
    void chooseValue(const QString& type) {
        const auto& values = panel.session().values();
        const auto found = std::ranges::find_if(
            values, [&](const visualizers::DebugValue& each) { return each.type().startsWith(type); });
        ASSERT_NE(found, values.end()) << type.toStdString();
        auto& table = panel.values().table();
        clickRow(table.view(), table.view().model()->index(static_cast<int>(found - values.begin()), 0));
        waitUntilStopped();
    }

    visualizers::GraphCanvas& canvas;
    visualizers::CodeView& code;
    visualizers::PlanWidget& plan;
};

}  // namespace et::test
