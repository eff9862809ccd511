// Tests of common window behaviour: back and forward, files that change on disk, copying, sums, and the range
// that all panels share.
#include "app/studio/file_watch.h"
#include "app/studio/history.h"
#include "app/studio/notice_bar.h"
#include "app/studio/outline/outline_panel.h"
#include "app/studio/overview/overview_panel.h"
#include "app/studio/panel_area.h"
#include "app/studio/timeline/timeline_panel.h"
#include "tests/studio/clicks.h"
#include "tests/studio/pictures.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/events/event_view.h"
#include "visualizers/events/group_table.h"
#include "visualizers/overview/dashboard_view.h"
#include "visualizers/timeline/timeline_widget.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QClipboard>
#include <QKeyEvent>
#include <QMenu>
#include <QMenuBar>
#include <QMouseEvent>
#include <QPointer>
#include <QTabBar>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>

namespace et::test {

namespace {

using visualizers::TickRange;

class HabitsTest : public StudioTest {
  protected:
    [[nodiscard]] visualizers::Selection& selection() { return driver.window().selection(); }
    [[nodiscard]] std::string_view panelInFront() {
        for (const auto& entry : driver.window().area().entries()) {
            if (entry.panel == &driver.window().area().current()) {
                return entry.info->id;
            }
        }
        return {};
    }
    [[nodiscard]] QString copied() { return QApplication::clipboard()->text(); }

    WindowDriver driver;
};

TEST_F(HabitsTest, BackAndForwardThroughPanelsAndChoices) {
    driver.open({write("a.etdp", smallTrace(3))});
    driver.rest();
    driver.clickEvent(1);
    const auto first = selection().current();
    const auto actions = driver.window().findChild<studio::History*>()->findChildren<QAction*>();
    const auto back = std::ranges::find(actions, QStringLiteral("&Back"), &QAction::text);
    ASSERT_TRUE(back != actions.end());
    ASSERT_TRUE(QTest::qWaitFor([&] { return (*back)->isEnabled(); }, 30'000)) << "a choice becomes a step";
    driver.rest();
    driver.clickEvent(3);
    const auto second = selection().current();
    driver.rest();
    driver.enterPanel(QStringLiteral("Timeline"));
    driver.rest();
    ASSERT_NE(first, second);
    driver.press(Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(panelInFront(), "events");
    EXPECT_EQ(selection().current(), second);
    driver.press(Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(selection().current(), first);
    driver.press(Qt::Key_Right, Qt::AltModifier);
    EXPECT_EQ(selection().current(), second);
    QTest::mouseClick(driver.table().viewport(), Qt::ForwardButton);
    EXPECT_EQ(panelInFront(), "timeline");
    QTest::mouseClick(&driver.window(), Qt::BackButton);
    EXPECT_EQ(panelInFront(), "events");
}

TEST_F(HabitsTest, BackUndoesZoomingAndMeasuring) {
    driver.open({write("a.etdp", smallTrace(3))});
    driver.enterPanel(QStringLiteral("Timeline"));
    auto& panel = *driver.window().findChild<studio::TimelinePanel*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !panel.busy(); }, 30'000));
    panel.view().setFocus();
    driver.rest();
    const double all = panel.view().view().to();
    driver.press(Qt::Key_W);
    driver.rest();
    EXPECT_LT(panel.view().view().to() - panel.view().view().from(), all);
    selection().setRange(TickRange{0, 4000});
    driver.rest();
    driver.press(Qt::Key_Left, Qt::AltModifier);
    EXPECT_FALSE(selection().range());
    driver.press(Qt::Key_Left, Qt::AltModifier);
    EXPECT_NEAR(panel.view().view().to() - panel.view().view().from(), all, 1);
}

TEST_F(HabitsTest, TheKeysOfUndoTakeViewChangesBack) {
    driver.open(samplePaths());
    driver.enterPerspective("time");
    driver.rest();
    driver.enterPanel(QStringLiteral("Timeline"));
    auto& panel = *driver.window().findChild<studio::TimelinePanel*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !panel.busy(); }, 30'000));
    panel.view().setFocus();
    driver.press(Qt::Key_Space);
    driver.rest();
    const double all = panel.view().view().to() - panel.view().view().from();
    driver.press(Qt::Key_W);
    driver.rest();
    const double closer = panel.view().view().to() - panel.view().view().from();
    ASSERT_LT(closer, all);
    driver.press(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_NEAR(panel.view().view().to() - panel.view().view().from(), all, 1);
    driver.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_NEAR(panel.view().view().to() - panel.view().view().from(), closer, 1);
    driver.rest();
    driver.enterPerspective("memory");
    driver.rest();
    driver.press(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_STREQ(driver.window().area().perspective().id, "time");
}

TEST_F(HabitsTest, AFileThatChangesOnDiskIsNoticed) {
    const auto file = write("a.etdp", smallTrace(3));
    driver.open({file});
    const auto notes = [this] { return driver.window().notices().notices(studio::NoticeBar::Kind::Note); };
    EXPECT_TRUE(notes().isEmpty());
    std::filesystem::rename(write("new.etdp", smallTrace(9)), file);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !notes().isEmpty(); }, 30'000));
    EXPECT_TRUE(notes().first().contains(QStringLiteral("a.etdp changed on disk; press Ctrl+R")));
    const auto runs = [this] { return driver.window().opened().blocks()->blocks()[1].runs.size(); };
    EXPECT_EQ(runs(), 3U);
    driver.press(Qt::Key_F5);
    driver.waitUntilIdle();
    EXPECT_EQ(runs(), 9U);
    EXPECT_TRUE(notes().isEmpty());
}

TEST_F(HabitsTest, TheRangeOfTheTimelineFiltersTheEvents) {
    driver.open({write("a.etdp", smallTrace(3))});
    const auto rows = [this] { return driver.shown().size() - 1; };
    const auto all = rows();
    auto* const chip = driver.window().findChild<QToolButton*>(QStringLiteral("rangeChip"));
    EXPECT_FALSE(chip->isVisible());
    // The third run's delegate call has ended by then: only the event of the whole run remains.
    selection().setRange(TickRange{2'006'000, 2'007'000});
    ASSERT_TRUE(QTest::qWaitFor([&] { return rows() < all; }, 30'000));
    EXPECT_EQ(rows(), 1U);
    EXPECT_EQ(driver.shown()[1][0], QStringLiteral("Method::execute"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return WindowDriver::onScreen(*chip); }, 30'000));
    EXPECT_TRUE(chip->text().contains(QStringLiteral("1.000 µs"))) << chip->text().toStdString();
    QTest::mouseClick(chip, Qt::LeftButton);
    EXPECT_FALSE(selection().range());
    ASSERT_TRUE(QTest::qWaitFor([&] { return rows() == all; }, 30'000));
    EXPECT_TRUE(QTest::qWaitFor([&] { return !chip->isVisible(); }, 30'000));
}

TEST_F(HabitsTest, EventsAreSummedByOperatorModuleAndDelegate) {
    driver.open(samplePaths());
    driver.enterPanel(QStringLiteral("Events"));
    auto& groups = driver.events().groupTable();
    const QAbstractItemModelTester tester(groups.table().model());
    driver.trigger(QStringLiteral("Sum by Operator"));
    EXPECT_TRUE(WindowDriver::onScreen(groups.table()));
    const int operators = groups.model().rowCount();
    EXPECT_GT(operators, 3);
    const int share = groups.model().columnOf("share");
    ASSERT_GE(share, 0);
    double sum = 0;
    for (int row = 0; row < operators; ++row) {
        const QModelIndex index = groups.model().index(row, share);
        const bool first =
            groups.model().index(row, 0).data() == groups.model().index(operators - 1, 0).data();
        sum += first ? index.data(visualizers::ReportTableModel::ShareRole).toDouble() : 0;
    }
    EXPECT_NEAR(sum, 1, 0.01) << "selves add up to the block";
    driver.press(Qt::Key_C, Qt::ControlModifier);
    EXPECT_TRUE(copied().startsWith(QStringLiteral("event_block_name\top\t"))) << copied().toStdString();
    driver.trigger(QStringLiteral("Sum by Module"));
    EXPECT_GE(groups.model().columnOf("module"), 0);
    takePictures(driver, "event_sums");
    driver.trigger(QStringLiteral("Sum by Delegate"));
    EXPECT_GE(groups.model().columnOf("delegate"), 0);
    driver.trigger(QStringLiteral("Sum by Delegate"));
    EXPECT_TRUE(WindowDriver::onScreen(driver.table())) << "events again";
}

TEST_F(HabitsTest, CopiesAsMarkdownAndAsAPicture) {
    driver.open({write("a.etdp", smallTrace(3))});
    driver.clickEvent(1);
    driver.press(Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(copied().startsWith(u'|')) << copied().toStdString();
    EXPECT_EQ(copied().count(u'\n'), 3) << "a header, a rule, a row";
    driver.press(Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
    EXPECT_EQ(QApplication::clipboard()->image().size(), driver.window().area().current().size());
    driver.enterPanel(QStringLiteral("Overview"));
    auto* const overview = driver.window().findChild<studio::OverviewPanel*>();
    ASSERT_TRUE(driver.waitForText([&] { return overview->plainText(); }, QStringLiteral("Key figures")));
    driver.press(Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(copied().contains(QStringLiteral("## Key figures")));
}

TEST_F(HabitsTest, AFindingLeadsToItsOperator) {
    driver.open(runSamplePaths());
    driver.enterPanel(QStringLiteral("Overview"));
    auto* const overview = driver.window().findChild<studio::OverviewPanel*>();
    ASSERT_TRUE(driver.waitForText([&] { return overview->plainText(); }, QStringLiteral("Top findings")));
    ASSERT_TRUE(clickLinkIn(*overview, QStringLiteral("place")));
    EXPECT_TRUE(selection().currentOperator() || !selection().currentHandles().empty());
    EXPECT_NE(panelInFront(), "overview");
}

QStringList& warnings() {
    static QStringList lines;
    return lines;
}

/// Qt reports an ambiguous shortcut if two commands in the focus have the same key, and triggers neither.
TEST_F(HabitsTest, OpenMenuDoesNotTriggerPanelShortcuts) {
    driver.open(samplePaths());
    warnings().clear();
    const QtMessageHandler before = qInstallMessageHandler(
        [](QtMsgType, const QMessageLogContext&, const QString& text) { warnings().append(text); });
    QMenuBar& bar = *driver.window().menuBar();
    bar.setFocus(Qt::MenuBarFocusReason);
    for (QAction* const title : bar.actions()) {
        bar.setActiveAction(title);
        ASSERT_EQ(QApplication::activePopupWidget(), title->menu());
        QTest::keyClick(driver.window().windowHandle(), Qt::Key_C, Qt::ControlModifier);
        title->menu()->close();
    }
    qInstallMessageHandler(before);
    EXPECT_EQ(warnings().filter(QStringLiteral("Ambiguous")).size(), 0)
        << warnings().join('\n').toStdString();
}

/// Qt looks up shortcuts from the focus widget, whichever widget receives the ShortcutOverride event first.
TEST_F(HabitsTest, FocusedMenusNeverTriggerPanelShortcuts) {
    driver.open(samplePaths());
    const auto isTaken = [this] {
        QKeyEvent event(QEvent::ShortcutOverride, Qt::Key_C, Qt::ControlModifier);
        event.ignore();
        QCoreApplication::sendEvent(&driver.window().area(), &event);
        return event.isAccepted();
    };
    driver.table().setFocus(Qt::OtherFocusReason);
    EXPECT_FALSE(isTaken());
    driver.window().menuBar()->setFocus(Qt::MenuBarFocusReason);
    EXPECT_TRUE(isTaken());
}

TEST_F(HabitsTest, UndoneSelectionIsNotHighlighted) {
    driver.open(samplePaths());
    driver.rest();
    driver.clickEvent(1);
    driver.rest();
    ASSERT_TRUE(selection().current());
    ASSERT_TRUE(driver.table().selectionModel()->hasSelection());
    driver.press(Qt::Key_Z, Qt::ControlModifier);
    QTest::qWait(0);
    EXPECT_FALSE(selection().current());
    EXPECT_FALSE(driver.table().selectionModel()->hasSelection());
    const auto* const outline = driver.window().findChild<studio::OutlinePanel*>();
    EXPECT_FALSE(outline->findChild<QTreeView*>()->selectionModel()->hasSelection());
}

TEST_F(HabitsTest, OpeningTheRunsMarksNoRange) {
    driver.open({write("a.etdp", smallTrace(3))});
    driver.press(Qt::Key_3, Qt::ControlModifier | Qt::AltModifier);
    auto* const runs = driver.window().findChild<QTreeView*>(QStringLiteral("runTimes"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs->model()->rowCount() == 3; }, 30'000));
    runs->setFocus(Qt::TabFocusReason);
    QTest::qWait(0);
    EXPECT_FALSE(selection().range());
    QTest::keyClick(runs, Qt::Key_Down);
    EXPECT_TRUE(selection().range()) << "the first run";
    selection().setRange(std::nullopt);
    clickRow(*runs, runs->model()->index(1, 0));
    EXPECT_TRUE(selection().range());
}

TEST_F(HabitsTest, PanelsMenuHasFiveGroupsAndTheCommandsInFront) {
    driver.open(samplePaths());
    driver.enterPanel(QStringLiteral("Events"));
    const auto menus = driver.window().findChildren<QMenu*>();
    const auto menu = std::ranges::find(menus, QStringLiteral("Pa&nels"), &QMenu::title);
    ASSERT_NE(menu, menus.end());
    (*menu)->popup(QPoint());
    QStringList shown;
    for (const QAction* const action : (*menu)->actions()) {
        if (action->isVisible() && !action->isSeparator()) {
            shown.append(action->text());
        }
    }
    (*menu)->close();
    EXPECT_EQ(shown, (QStringList{QStringLiteral("&Time"), QStringLiteral("&Memory"),
                                  QStringLiteral("&Accuracy"), QStringLiteral("&Structure"),
                                  QStringLiteral("&Run"), QStringLiteral("In Events")}));
}

TEST_F(HabitsTest, EnteredPanelHasFocusForAnyContent) {
    driver.open({write("a.etdp", smallTrace(3))});
    driver.trigger(QStringLiteral("Sum by Operator"));  // replaces the events
    const auto enterAll = [this] {
        for (const auto& entry : driver.window().area().entries()) {
            driver.window().menuBar()->setFocus(Qt::MenuBarFocusReason);
            driver.window().area().enter(*entry.panel);
            const QWidget* const focus = QApplication::focusWidget();
            EXPECT_TRUE(entry.panel == focus || entry.panel->isAncestorOf(focus)) << entry.info->id;
        }
    };
    enterAll();
    driver.open(samplePaths());
    enterAll();
    driver.enterPanel(QStringLiteral("Events"));
    EXPECT_TRUE(driver.events().groupTable().isAncestorOf(QApplication::focusWidget()));
    driver.trigger(QStringLiteral("Sum by Operator"));
    driver.enterPanel(QStringLiteral("Events"));
    EXPECT_TRUE(driver.table().hasFocus());
}

TEST_F(HabitsTest, TabRemovedWhilePressedIsReleased) {
    QTabBar bar;  // like the tab bars of Qt's docks
    bar.setMovable(true);
    for (const char* const name : {"first", "second", "third"}) {
        bar.addTab(QLatin1String(name));
    }
    bar.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&bar));
    const QPoint last = bar.tabRect(2).center();
    warnings().clear();
    const QtMessageHandler before = qInstallMessageHandler(
        [](QtMsgType, const QMessageLogContext&, const QString& text) { warnings().append(text); });
    QTest::mousePress(bar.windowHandle(), Qt::LeftButton, Qt::NoModifier, last);
    bar.removeTab(2);
    QTest::mouseMove(bar.windowHandle(), bar.tabRect(0).center());
    QTest::mouseMove(bar.windowHandle(), bar.tabRect(1).center());
    QTest::mouseRelease(bar.windowHandle(), Qt::LeftButton, Qt::NoModifier, last);
    qInstallMessageHandler(before);
    EXPECT_EQ(warnings(), QStringList()) << "a tab was drawn that is not there";
    EXPECT_EQ(bar.tabText(0), QStringLiteral("first"));
    EXPECT_EQ(bar.count(), 2);
}

/// Sends the clicks of `clicks` to a tab bar of three tabs while its last tab is removed, then drags.
std::string complaintsOfADrag(const std::function<void(QTabBar&, const QPointF& last)>& clicks,
                              Qt::MouseButton dragged) {
    QTabBar bar;
    bar.setMovable(true);
    for (const char* const name : {"first", "second", "third"}) {
        bar.addTab(QLatin1String(name));
    }
    bar.show();
    warnings().clear();
    const QtMessageHandler before = qInstallMessageHandler(
        [](QtMsgType, const QMessageLogContext&, const QString& text) { warnings().append(text); });
    clicks(bar, bar.tabRect(2).center());
    for (const int tab : {0, 1}) {
        const QPointF at = bar.tabRect(tab).center();
        QMouseEvent move(QEvent::MouseMove, at, bar.mapToGlobal(at), Qt::NoButton, dragged, Qt::NoModifier);
        QCoreApplication::sendEvent(&bar, &move);
    }
    qInstallMessageHandler(before);
    return warnings().join('\n').toStdString();
}

TEST_F(HabitsTest, TabIsReleasedDespiteOtherButtons) {
    const auto send = [](QTabBar& bar, QEvent::Type type, const QPointF& at, Qt::MouseButton button) {
        QMouseEvent event(type, at, bar.mapToGlobal(at), button,
                          type == QEvent::MouseButtonRelease ? Qt::NoButton : button, Qt::NoModifier);
        QCoreApplication::sendEvent(&bar, &event);
    };
    EXPECT_EQ(complaintsOfADrag(
                  [&](QTabBar& bar, const QPointF& last) {
                      send(bar, QEvent::MouseButtonPress, last, Qt::LeftButton);
                      bar.removeTab(2);
                      send(bar, QEvent::MouseButtonPress, {1, 1}, Qt::RightButton);
                      send(bar, QEvent::MouseButtonRelease, {1, 1}, Qt::RightButton);
                  },
                  Qt::LeftButton),
              "");
    EXPECT_EQ(complaintsOfADrag(
                  [&](QTabBar& bar, const QPointF& last) {
                      send(bar, QEvent::MouseButtonDblClick, last, Qt::LeftButton);
                      bar.removeTab(2);
                  },
                  Qt::LeftButton),
              "");
    EXPECT_EQ(complaintsOfADrag(
                  [&](QTabBar& bar, const QPointF& last) {
                      send(bar, QEvent::MouseButtonPress, last, Qt::LeftButton);
                      bar.removeTab(2);
                      QMouseEvent elsewhere(QEvent::MouseButtonRelease, {1, 1}, {1, 1}, Qt::LeftButton,
                                            Qt::NoButton, Qt::NoModifier);
                      QCoreApplication::sendEvent(&driver.window(), &elsewhere);
                      send(bar, QEvent::MouseButtonPress, {1, 1}, Qt::MiddleButton);
                  },
                  Qt::MiddleButton),
              "");
}

TEST_F(HabitsTest, EveryKeyIsOfOneCommand) {
    driver.open(samplePaths());
    driver.open(runSamplePaths());
    warnings().clear();
    const QtMessageHandler before = qInstallMessageHandler(
        [](QtMsgType, const QMessageLogContext&, const QString& text) { warnings().append(text); });
    for (const auto& entry : driver.window().area().entries()) {
        driver.window().area().enter(*entry.panel);
        QTest::qWait(0);
        QList<QPointer<QWidget>> places;
        for (QWidget* const place : driver.window().findChildren<QWidget*>()) {
            places.append(place);
        }
        for (const QPointer<QWidget>& place : places) {
            if (place == nullptr || !place->isVisible() || !place->isEnabled()) {
                continue;
            }
            place->setFocus(Qt::OtherFocusReason);
            for (const Qt::KeyboardModifiers with :
                 {Qt::KeyboardModifiers(Qt::ControlModifier), Qt::ControlModifier | Qt::ShiftModifier}) {
                QTest::keyClick(driver.window().windowHandle(), Qt::Key_C, with);
            }
            if (!warnings().filter(QStringLiteral("Ambiguous")).isEmpty()) {
                ADD_FAILURE() << entry.info->id << ", " << place->metaObject()->className() << " "
                              << place->objectName().toStdString() << ": " << warnings().last().toStdString();
                warnings().clear();
            }
        }
    }
    qInstallMessageHandler(before);
}

}  // namespace

}  // namespace et::test
