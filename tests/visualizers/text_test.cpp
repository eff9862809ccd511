#include "visualizers/toolkit/text.h"

#include <gtest/gtest.h>

namespace et::visualizers {

namespace {

TEST(UnitText, IsTheUnitsSign) {
    EXPECT_EQ(timeText(12.345, inspector::TimeScale::Microseconds), QStringLiteral("12.35 µs"));
    EXPECT_EQ(timeText(0.0004, inspector::TimeScale::Milliseconds), QStringLiteral("400 ns"));
    EXPECT_EQ(timeText(7, inspector::TimeScale::Cycles), QStringLiteral("7 cycles"));
}

TEST(Counted, UsesTheSingularForOne) {
    const QString one = QStringLiteral("1 run");
    const QString many = QStringLiteral("%1 runs");
    EXPECT_EQ(counted(1, one, many), QStringLiteral("1 run"));
    EXPECT_EQ(counted(0, one, many), QStringLiteral("0 runs"));
    EXPECT_EQ(counted(20, one, many), QStringLiteral("20 runs"));
}

TEST(ToQString, EscapesInvalidText) {
    EXPECT_EQ(toQString("a\x01z"), QStringLiteral("a\\x01z"));
    EXPECT_EQ(toQStringLines("a\n\tb"), QStringLiteral("a\n    b"));
}

}  // namespace

}  // namespace et::visualizers
