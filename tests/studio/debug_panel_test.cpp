// Tests of the debugger in the window. The process is et-inspect, or a script that answers with recorded
// lines where et-inspect would have to fail.
#include "app/studio/debug/debug_panel.h"

#include "app/studio/debug/debug_console.h"
#include "app/studio/debug/kept_triggers.h"
#include "app/studio/memory/memory_panel.h"
#include "app/studio/panel_area.h"
#include "tests/studio/debug_panel_fixture.h"
#include "tests/studio/pictures.h"
#include "visualizers/debug/time_slider.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>

#include <gtest/gtest.h>

#include <filesystem>

namespace et::test {

namespace {

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
    EXPECT_EQ(panel.slider().hits(), (std::vector{visualizers::DebugHit{.execution = 0, .step = 1}}));
    const QPoint fourth(static_cast<int>(panel.slider().xOf({0, 4})), panel.slider().height() / 2);
    QTest::mouseClick(&panel.slider(), Qt::LeftButton, {}, fourth);
    waitUntilStopped();
    EXPECT_EQ(instruction(), 4);
    panel.slider().setFocus();
    press(Qt::Key_Left);
    EXPECT_EQ(instruction(), 3);
    EXPECT_TRUE(panel.slider().spokenValue().contains(QStringLiteral("step 3")));
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
    ASSERT_TRUE(QTest::qWaitFor([this] { return breaksAt(core::InstructionId(2)); }, 60'000));
}

TEST_F(DebugPanelTest, BreakpointsAreKeptForTheNextStart) {
    open();
    field<QTabWidget>("debugLists").setCurrentWidget(&panel.triggers());
    const auto add = [this](const QString& where, const QString& condition) {
        QTest::keyClicks(&field<QLineEdit>("debugWhere"), where);
        QTest::keyClicks(&field<QLineEdit>("debugCondition"), condition);
        QTest::mouseClick(&field<QPushButton>("debugAdd"), Qt::LeftButton);
    };
    add(QStringLiteral("aten.relu.out"), QStringLiteral("max(out) > 1"));
    add(QStringLiteral("3"), {});
    ASSERT_EQ(panel.session().triggers().all().size(), 2U);
    auto& view = panel.triggers().table().view();
    clickRow(view, view.model()->index(1, 0));
    QTest::keyClick(&view, Qt::Key_Space);
    driver.press(Qt::Key_W, Qt::ControlModifier);
    EXPECT_TRUE(panel.session().triggers().all().empty()) << "nothing is open";

    studio::MainWindow next(driver.store());
    next.show();
    next.open(runSamplePaths());
    auto& later = *next.findChild<studio::DebugPanel*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return later.session().triggers().all().size() == 2; }, 30'000));
    const auto& all = later.session().triggers().all();
    EXPECT_EQ(all[0].text, QStringLiteral("aten.relu.out"));
    EXPECT_EQ(all[0].condition, QStringLiteral("max(out) > 1"));
    EXPECT_TRUE(all[0].enabled);
    EXPECT_EQ(all[1].text, QStringLiteral("3"));
    EXPECT_FALSE(all[1].enabled);
}

TEST_F(DebugPanelTest, DamagedKeptBreakpointsAreIgnored) {
    driver.store().setValue(
        QStringLiteral("debug/triggers"),
        QByteArrayLiteral("[3, {\"program\": 5, \"triggers\": {}}, {\"triggers\": [[]]}]"));
    open();
    EXPECT_TRUE(panel.session().triggers().all().empty());
    driver.store().setValue(QStringLiteral("debug/triggers"), QByteArrayLiteral("{{{"));
    EXPECT_TRUE(studio::keptTriggers(driver.store(), "a.pte").empty());
}

TEST_F(RealDebugTest, TheCurrentInstructionIsMarkedInAllViews) {
    openAll();
    start();
    EXPECT_EQ(panel.positionLine().left(27), QStringLiteral("execution 0, instruction 0:"));
    const std::int64_t line = stepToALine();
    ASSERT_GT(line, 0);
    ASSERT_TRUE(settle(driver.window()));
    const auto current = panel.session().position()->point.place.instruction;
    EXPECT_TRUE(canvas.marks().current.at(boxOf(current)));
    EXPECT_TRUE(plan.state().current);
    ASSERT_TRUE(code.debugLines());
    EXPECT_EQ(code.debugLines()->current, line);
    EXPECT_FALSE(code.lineRect(line).isEmpty());
    EXPECT_EQ(driver.window().selection().currentOperator()->instruction, current);
    driver.press(Qt::Key_Period, Qt::ControlModifier);
    ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.session().running(); }, 30'000));
    EXPECT_EQ(code.debugLines()->current, 0) << "stopped by the user";
}

TEST_F(RealDebugTest, ABreakpointInTheGutterStopsTheRun) {
    openAll();
    start();
    press(Qt::Key_F10);
    press(Qt::Key_F10);
    const std::int64_t line = stepToALine();
    const auto position = instruction();
    press(Qt::Key_F5, Qt::ShiftModifier);
    EXPECT_EQ(instruction(), 0) << "back at the start";
    clickGutter(line);
    ASSERT_EQ(panel.session().triggers().all().size(), 1U) << problem().toStdString();
    EXPECT_TRUE(code.debugLines()->breakpoints.contains(line));
    press(Qt::Key_F5);
    EXPECT_EQ(instruction(), position);
    EXPECT_EQ(panel.session().position()->reason, QStringLiteral("breakpoint"));
    clickGutter(line);
    EXPECT_TRUE(panel.session().triggers().all().empty());
    press(Qt::Key_F5);
    EXPECT_TRUE(panel.positionLine().endsWith(QStringLiteral("end"))) << panel.positionLine().toStdString();
}

TEST_F(RealDebugTest, ALineWithoutOperatorsGivesAClearAnswer) {
    openAll();
    start();
    showList(panel.triggers());
    type("debugWhere", QStringLiteral("conv_net.py:100000"));
    EXPECT_TRUE(panel.session().triggers().all().empty());
    EXPECT_TRUE(problem().contains(QStringLiteral("100000"))) << problem().toStdString();
}

TEST_F(RealDebugTest, ABreakpointOnANodeStopsTheRun) {
    openAll();
    const core::InstructionId wanted(3);
    clickBox(boxOf(wanted));
    canvas.setFocus();
    driver.press(Qt::Key_B);
    ASSERT_TRUE(breaksAt(wanted));
    EXPECT_TRUE(canvas.marks().breaking.at(boxOf(wanted)));
    showList(panel.triggers());
    auto& list = panel.triggers().table().view();
    clickRow(list, list.model()->index(0, 0));
    QTest::keyClick(&list, Qt::Key_Space);
    EXPECT_FALSE(canvas.marks().breaking.at(boxOf(wanted)));
    EXPECT_TRUE(canvas.marks().passing.at(boxOf(wanted))) << "disabled";
    QTest::keyClick(&list, Qt::Key_Space);
    EXPECT_TRUE(canvas.marks().breaking.at(boxOf(wanted)));
    EXPECT_FALSE(canvas.marks().passing.at(boxOf(wanted)));
    canvas.setFocus();
    driver.press(Qt::Key_F5);  // starts and continues
    waitUntilStopped();
    ASSERT_TRUE(panel.session().position()) << problem().toStdString();
    EXPECT_EQ(instruction(), 3);
    openContextMenu(canvas,
                    canvas.view().toScreen(canvas.scene()->boxRect(boxOf(wanted)).center()).toPoint());
    auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    ASSERT_NE(menu, nullptr);
    menu->setActiveAction(menu->actions().front());
    QTest::keyClick(menu, Qt::Key_Return);
    waitUntilStopped();
    EXPECT_TRUE(panel.session().triggers().all().empty());
    QTest::mouseDClick(&canvas, Qt::LeftButton, {},
                       canvas.view().toScreen(canvas.scene()->boxRect(boxOf(wanted)).center()).toPoint());
    waitUntilStopped();
    EXPECT_EQ(panel.session().triggers().all().size(), 1U) << "a double click while running";
}

TEST_F(RealDebugTest, ConditionsHitCountsAndWatchpoints) {
    openAll();
    start();
    showList(panel.triggers());
    QTest::keyClicks(&field<QLineEdit>("debugCondition"), QStringLiteral("instruction > 2"));
    type("debugWhere", QStringLiteral("*"));
    ASSERT_EQ(panel.session().triggers().all().size(), 1U) << problem().toStdString();
    press(Qt::Key_F5);
    EXPECT_EQ(instruction(), 3);
    auto& table = panel.triggers().table();
    clickRow(table.view(), table.view().model()->index(0, 0));
    QTest::keyClick(&table.view(), Qt::Key_Space);
    waitUntilStopped();
    EXPECT_FALSE(panel.session().triggers().all().front().enabled);
    chooseItem(field<QComboBox>("debugKind"), 1);
    type("debugWhere", QStringLiteral("max(out) > -1e30"));
    ASSERT_EQ(panel.session().triggers().all().size(), 2U) << problem().toStdString();
    press(Qt::Key_F5);
    EXPECT_EQ(panel.session().position()->reason, QStringLiteral("watchpoint")) << problem().toStdString();
    EXPECT_FALSE(panel.slider().hits().empty()) << "marked on the slider";
    EXPECT_GE(panel.session().triggers().all().back().hits, 1);
    table.view().setFocus();
    clickRow(table.view(), table.view().model()->index(1, 0));
    QTest::keyClick(&table.view(), Qt::Key_Delete);
    waitUntilStopped();
    EXPECT_EQ(panel.session().triggers().all().size(), 1U);
}

TEST_F(RealDebugTest, ShowsAValueItsElementsAndTheDifference) {
    openAll();
    start();
    stepToALine();
    press(Qt::Key_F10);
    chooseValue(QStringLiteral("float32"));
    ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.value().loading(); }, 30'000));
    EXPECT_TRUE(panel.value().details().contains(QStringLiteral("range")))
        << panel.value().details().toStdString();
    EXPECT_TRUE(panel.value().details().contains(QStringLiteral("last write")));
    EXPECT_GT(panel.value().elements().expected().model().rowCount(), 0);
    chooseItem(field<QComboBox>("debugCompared"), 1);
    waitUntilStopped();
    EXPECT_GT(panel.value().elements().actual().model().rowCount(), 0) << "next to the reference";
}

TEST_F(RealDebugTest, AValueCanBeReplaced) {
    openAll();
    start();
    stepToALine();
    press(Qt::Key_F10);
    chooseValue(QStringLiteral("float32"));
    type("debugNewValue", QStringLiteral("2.5"));
    EXPECT_TRUE(QTest::qWaitFor(
        [this] { return panel.value().details().contains(QStringLiteral("2.5 to 2.5")); }, 30'000))
        << panel.value().details().toStdString() << problem().toStdString();
}

TEST_F(RealDebugTest, WatchedExpressionsFollowThePosition) {
    openAll();
    start();
    showList(panel.watches());
    type("debugExpression", QStringLiteral("max(abs(in))"));
    const auto shown = [this] {
        const auto& rows = panel.watches().table().model().rows().table.rows;
        return rows.empty() ? std::string() : std::get<std::string>(rows.front()[1]);
    };
    press(Qt::Key_F10);
    press(Qt::Key_F10);
    const std::string later = shown();
    EXPECT_FALSE(later.empty());
    press(Qt::Key_F10, Qt::ShiftModifier);
    press(Qt::Key_F10);
    EXPECT_EQ(shown(), later) << "the same position has the same value";
    clickRow(panel.watches().table().view(), panel.watches().table().view().model()->index(0, 0));
    QTest::keyClick(&panel.watches().table().view(), Qt::Key_Delete);
    EXPECT_TRUE(shown().empty());
}

TEST_F(RealDebugTest, CommandsRunASecondExecution) {
    openAll();
    start();
    press(Qt::Key_F5);
    EXPECT_TRUE(panel.positionLine().endsWith(QStringLiteral("end")));
    showList(panel.console());
    type("debugCommand", QStringLiteral("start"));
    EXPECT_EQ(panel.session().position()->point.execution, 1);
    EXPECT_TRUE(panel.console().text().contains(QStringLiteral("execution 1, instruction 0")))
        << panel.console().text().toStdString();
    EXPECT_EQ(panel.session().steps().size(), 2U);
    type("debugCommand", QStringLiteral("nonsense"));
    EXPECT_TRUE(panel.console().text().contains(QStringLiteral("error: ")));
    auto& line = field<QLineEdit>("debugCommand");
    QTest::keyClick(&line, Qt::Key_Up);
    EXPECT_EQ(line.text(), QStringLiteral("nonsense"));
    panel.slider().setFocus();
    press(Qt::Key_Home);
    EXPECT_EQ(panel.session().position()->point.execution, 0);
}

TEST_F(RealDebugTest, TakesItsPicture) {
    driver.window().resize(1280, 800);
    openAll();
    start();
    showList(panel.triggers());
    chooseItem(field<QComboBox>("debugKind"), 1);
    type("debugWhere", QStringLiteral("max(out) > 1"));
    press(Qt::Key_F5);
    stepToALine();
    showList(panel.values());
    chooseValue(QStringLiteral("float32"));
    ASSERT_TRUE(settle(driver.window()));
    takePictures(driver, "debug");
    driver.window().resize(1920, 1080);
    ASSERT_TRUE(settle(driver.window()));
    EXPECT_TRUE(driver.window().grab().save(QStringLiteral(ET_SCREENSHOT_BUILD_DIR "/debug_large.png")));
}

}  // namespace

}  // namespace et::test
