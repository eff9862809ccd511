#include "app/studio/time_unit_menu.h"

#include <QSignalSpy>

#include <gtest/gtest.h>

namespace et::studio {

namespace {

using inspector::TimeScale;

/// Chooses the `nth` (0: target, 1: source) entry of this name.
void choose(const TimeUnitMenu& menu, const QString& name, int nth) {
    for (QAction* const action : menu.actions()) {
        if (action->text() == name && nth-- == 0) {
            action->trigger();
            return;
        }
    }
    ADD_FAILURE() << "no entry " << name.toStdString();
}

TEST(TimeUnitMenu, StartsWithTheDefaultsOfTheJoin) {
    const TimeUnitMenu menu;
    EXPECT_EQ(menu.source(), inspector::TraceClock{}.unit);
    EXPECT_EQ(menu.target(), inspector::JoinOptions{}.target);
    EXPECT_TRUE(menu.adaptsUnits());
}

TEST(TimeUnitMenu, SignalsAChoice) {
    const TimeUnitMenu menu;
    const QSignalSpy changes(&menu, &TimeUnitMenu::changed);
    choose(menu, QStringLiteral("us"), 0);
    EXPECT_EQ(menu.target(), TimeScale::Microseconds);
    EXPECT_FALSE(menu.adaptsUnits());
    choose(menu, QStringLiteral("us"), 1);
    EXPECT_EQ(menu.source(), TimeScale::Microseconds);
    EXPECT_EQ(changes.count(), 2);
}

TEST(TimeUnitMenu, MixesCyclesOnlyWithCycles) {
    const TimeUnitMenu menu;
    choose(menu, QStringLiteral("cycles"), 0);
    EXPECT_EQ(menu.source(), TimeScale::Cycles);
    EXPECT_EQ(menu.target(), TimeScale::Cycles);
    choose(menu, QStringLiteral("ms"), 0);
    EXPECT_EQ(menu.source(), TimeScale::Nanoseconds);
    EXPECT_EQ(menu.target(), TimeScale::Milliseconds);
    choose(menu, QStringLiteral("cycles"), 1);
    EXPECT_EQ(menu.target(), TimeScale::Cycles);
    choose(menu, QStringLiteral("ns"), 1);
    EXPECT_EQ(menu.target(), TimeScale::Milliseconds);
    EXPECT_TRUE(menu.adaptsUnits());
}

}  // namespace

}  // namespace et::studio
