#include "visualizers/toolkit/keyed_action.h"

#include <QTest>

#include <gtest/gtest.h>

namespace et::visualizers {

namespace {

TEST(KeyedAction, ItsTooltipShowsTheKey) {
    QWidget owner;
    int done = 0;
    QAction* const action = keyedAction(owner, QStringLiteral("Zoom &In"), Qt::Key_W, [&] { ++done; });
    EXPECT_EQ(action->toolTip(), QStringLiteral("Zoom In (W)"));
    EXPECT_TRUE(owner.actions().contains(action));
    action->trigger();
    EXPECT_EQ(done, 1);
    setTip(*action, QStringLiteral("Look closer"));
    EXPECT_EQ(action->toolTip(), QStringLiteral("Look closer (W)"));
    EXPECT_EQ(keyedAction(owner, QStringLiteral("&Reset"), {}, [] {})->toolTip(), QStringLiteral("Reset"));
}

TEST(KeyedAction, EachOfItsKeysWorksWhileTheWidgetHasTheFocus) {
    QWidget owner;
    int done = 0;
    QAction* const action =
        keyedAction(owner, QStringLiteral("&Next"), Qt::Key_Period, [&] { ++done; }, KeyScope::Widget);
    alsoOn(*action, Qt::Key_Right);
    owner.setFocusPolicy(Qt::StrongFocus);
    owner.show();
    owner.activateWindow();
    owner.setFocus();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&owner));
    QTest::keyClick(&owner, Qt::Key_Period);
    QTest::keyClick(&owner, Qt::Key_Right);
    EXPECT_EQ(done, 2);
    EXPECT_EQ(action->shortcut(), QKeySequence(Qt::Key_Period)) << "the first is shown";
}

TEST(KeyedAction, ToggleAnnouncesItsState) {
    QWidget owner;
    bool on = true;
    QAction* const action =
        keyedToggle(owner, QStringLiteral("&Group"), {}, true, [&](bool now) { on = now; });
    EXPECT_TRUE(action->isChecked());
    action->trigger();
    EXPECT_FALSE(on);
}

}  // namespace

}  // namespace et::visualizers
